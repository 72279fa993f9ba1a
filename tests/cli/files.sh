#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The life of an output file: when it appears, what it replaces, what it must not be written over, where it may go.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

umask 022
cadenza keygen -o key || exit 1
cadenza keygen -o key2 || exit 1
head -c 200000 /dev/urandom >data
enc() { cadenza encrypt --key-file key "$@"; }
dec() { cadenza decrypt --key-file key "$@"; }

# keygen
check "mode 0600" [ "$(stat -c %a key)" = 600 ]
cp key key.was
code 10 "keygen over a file" cadenza keygen -o key
same key key.was
ln -s nowhere link
code 10 "keygen through a dangling link" cadenza keygen -o link
absent nowhere
code 10 "keygen into a directory's name" cadenza keygen -o .
code 7 "keygen into no directory" cadenza keygen -o no/such/key
code 2 "keygen without a name" cadenza keygen
check "two keys differ" [ "$(sed -n 2p key)" != "$(sed -n 2p key2)" ]
cadenza keygen -o - >printed
check "a printed key is a key" [ "$(wc -c <printed)" = 117 ]
code 0 "it works" cadenza encrypt --key-file printed -o sealed data
code 0 "and opens" cadenza decrypt --key-file printed -o back sealed
said "others may access the key file" "a key file with mode 0644"
same back data
chmod 600 printed
rm back sealed

# files, pipes and every mixture of them; ./paths; names with blanks and dashes
code 0 "file to file" enc -o sealed data
check "mode 0600" [ "$(stat -c %a sealed)" = 600 ]
code 0 "file to file" dec -o back sealed
check "mode 0600" [ "$(stat -c %a back)" = 600 ]
same back data
enc <data >sealed2 && dec <sealed2 >back2
same back2 data "redirected"
# shellcheck disable=SC2002
cat data | enc | dec | cmp -s - data || bad "through pipes"
# shellcheck disable=SC2002
cat data | enc - -o - | dec -o back3 -
same back3 data "dashes"
(umask 0777 && enc -o 'a strange -name' data)
check "the owner can read it in spite of the umask" [ "$(stat -c %a 'a strange -name')" = 600 ]
mkdir dir
(cd dir && cadenza encrypt --key-file ../key -o ./-o ../data && cadenza decrypt --key-file ../key -- -o >../back4)
same back4 data "a name like an option"
: >empty
code 0 "an empty file" enc -o empty.cdz empty
check "112 bytes" [ "$(stat -c %s empty.cdz)" = 112 ]
code 0 "an empty file" dec -o empty.back empty.cdz
check "an empty file comes back as an empty file" [ -f empty.back -a ! -s empty.back ]
enc </dev/null | dec | cmp -s - /dev/null || bad "empty, through pipes"
no_leftovers

# an old file is replaced when all is well, and stays when it is not
printf old >target
code 0 "over an old file" dec -o target sealed
same target data
printf old >target
code 15 "wrong key" cadenza decrypt --key-file key2 -o target sealed
check "the old file stays" [ "$(cat target)" = old ]
code 15 "wrong key" cadenza decrypt --key-file key2 -o new sealed
absent new
head -c 150000 sealed >short
code 16 "cut" dec -o target short
check "the old file stays" [ "$(cat target)" = old ]
code 16 "cut" dec -o new short
absent new
code 12 "no file of cadenza's" dec -o new data
absent new
code 12 "an empty one" dec -o new empty
said "is empty"
absent new
no_leftovers
cp target hard2 && ln -f target hard
code 0 "over a hard link" dec -o target sealed
check "the other name keeps the old file" [ "$(cat hard)" = old ]
mkdir ro
cp key ro/target
chmod 555 ro
if [ "$(id -u)" != 0 ]; then
    code 7 "in a directory that must not be written" dec -o ro/target sealed
fi
chmod 755 ro

# never over its own input, whatever it is called
cp data data.was
ln data data.hard
ln -s data data.link
for out in data ./data "$PWD/data" dir/../data data.hard data.link; do
    code 10 "over its input: $out" enc -o "$out" data
    said "is the file that is read" "$out"
done
code 10 "over its input by the link" enc -o data data.link
code 10 "over its input on stdin" enc -o data <data
# shellcheck disable=SC2094
code 10 "stdout is the input" enc data >>data
# shellcheck disable=SC2094
code 10 "stdout is stdin" enc <data >>data
code 10 "over the key" enc -o key data
code 10 "over the key" dec -o ./key sealed
same data data.was
same key key.was
ln -s target target.link
printf old >target
code 10 "a link to another file" enc -o target.link data
said "symbolic link"
check "its target stays" [ "$(cat target)" = old ]
ln -s nowhere dangling
code 10 "a dangling link" enc -o dangling data
absent nowhere
code 10 "a directory" enc -o dir data
code 10 "a directory" enc -o dir/ data
code 10 "an empty name" enc -o '' data
code 7 "no such directory" enc -o no/such data
code 7 "a file as directory" enc -o data/x data
code 6 "no input" enc -o new no-such-file
absent new
code 6 "a directory as input" enc -o new dir
absent new
code 6 "no key file" cadenza encrypt --key-file no-such-key -o new data
code 20 "a key file that is none" cadenza encrypt --key-file data -o new data
code 20 "an empty key file" cadenza encrypt --key-file empty -o new data
absent new
if [ "$(id -u)" != 0 ]; then
    cp data locked && chmod 0 locked
    code 6 "unreadable" enc -o new locked
fi
no_leftovers

# devices and pipes by name are written to, not replaced
code 0 "to /dev/null" enc -o /dev/null data
check "/dev/null is what it was" [ -c /dev/null ]
if [ -c /dev/full ]; then
    code 8 "to /dev/full" enc -o /dev/full data
    said "No space left"
    code 8 "to /dev/full" dec -o /dev/full sealed
    code 8 "to /dev/full" enc data >/dev/full
    code 8 "text to /dev/full" cadenza --version >/dev/full
    code 8 "text to /dev/full" cadenza cpu >/dev/full
    check "/dev/full is what it was" [ -c /dev/full ]
fi
mkfifo fifo
dec sealed >from.fifo.want
cat fifo >from.fifo &
code 0 "to a named pipe" dec -o fifo sealed
wait
same from.fifo data
check "the pipe is what it was" [ -p fifo ]

# a closed pipe is an error of its own, and no signal
enc data | true
check "the reader went away" [ "${PIPESTATUS[0]}" = 9 ]
enc data 2>err | head -c 100 >/dev/null
check "the reader went away later" [ "${PIPESTATUS[0]}" = 9 ]
said "stopped reading"
code 7 "stdout is closed" enc data >&-
code 6 "stdin is closed" enc -o new <&-
absent new

# decryption to a pipe hands out verified chunks only, and says in the end that some are missing
cp sealed broken
flip broken $((96 + 2 * 65552 + 10))
dec broken >part 2>err
check "the exit code tells" [ $? = 16 ]
head -c $((2 * 65536)) data >part.want
same part part.want "two chunks were good"
head -c $((96 + 2 * 65552)) sealed | dec >part 2>err
check "the exit code tells" [ $? = 17 ]
head -c 65536 data >part.want
same part part.want "the last chunk there is not handed out: it is not the last"
head -c $((96 + 3 * 65552 + 7)) sealed | dec >part 2>err
check "the exit code tells" [ $? = 17 ]
head -c $((96 + 3 * 65552 + 20)) sealed | dec >part 2>err
check "the exit code tells" [ $? = 16 ]
head -c $((3 * 65536)) data >part.want
same part part.want "three chunks were good"

# the disk is full
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    printf old >small/target
    code 8 "a full disk" enc -o small/target data
    check "the old file stays" [ "$(cat small/target)" = old ]
    check "nothing else is there" [ "$(find small -type f | wc -l)" = 1 ]
    code 8 "a full disk" enc -o small/new data
    absent small/new
    umount small
else
    echo "SKIP (part): no tmpfs of 64 KiB could be mounted"
fi
(
    ulimit -f 64 # KiB
    code 8 "a limit on the size of files" enc -o new data
    absent new
    no_leftovers
    exit $failures
) || failures=$((failures + $?))

# a signal takes the temporary file away
for signal in INT TERM HUP; do
    mkfifo slow.$signal
    "${cdz_run[@]}" encrypt --key-file key -o new slow.$signal 2>err &
    pid=$!
    exec 9>slow.$signal
    head -c 300000 /dev/zero >&9
    for _ in $(seq 100); do
        [ -n "$(find . -name '.cadenza-*')" ] && break
        sleep 0.05
    done
    check "there is a temporary file" [ -n "$(find . -name '.cadenza-*')" ]
    # A shell starts what runs in the background with SIGINT ignored, and that holds: so it goes another way.
    if [ $signal = INT ]; then
        kill -INT $pid
        sleep 0.2
        check "SIGINT stays ignored where it was" kill -0 $pid
        kill -TERM $pid
    else
        kill -$signal $pid
    fi
    wait $pid
    got=$?
    exec 9>&-
    check "ended by the signal, and said so: $got" [ $got -gt 128 ]
    no_leftovers "$signal"
    absent new
done
done_testing
