/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pty [WORD ...] -- COMMAND ...: runs a command on a terminal of its own and plays its user.
 *
 *     expect TEXT    waits until the command printed it
 *     send TEXT      types it (\n is return, \003 ctrl-C, \032 ctrl-Z, \004 the end of input)
 *     noecho, echo   fails unless the terminal does not echo, or does
 *     wait           waits until the command stopped (ctrl-Z), and lets it go on
 *     kill N         sends it a signal
 *     keep FILE      what the command's standard output is; without this word it is the terminal
 *
 * What appeared on the terminal goes to stdout, then "exit N" or "signal N", and "echo" or "noecho" as the terminal was
 * left. The exit code is 0 when the play went as written.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int terminal;
static pid_t child;
static char seen[1 << 16];
static size_t seen_len, seen_at;

static void die(const char *why, const char *what) {
    fprintf(stderr, "pty: %s %s\nterminal so far: %.*s\n", why, what, (int)seen_len, seen);
    if (child > 0) kill(child, SIGKILL); /* 0 would be all of the test */
    exit(1);
}

/* Takes in what the command prints, for some milliseconds; false when it is gone. */
static bool listen_for(int ms) {
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    if (poll(&p, 1, ms) <= 0) return true;
    if (seen_len == sizeof seen) die("too much output", "");
    const ssize_t n = read(terminal, seen + seen_len, sizeof seen - seen_len);
    if (n <= 0) return false;
    seen_len += (size_t)n;
    return true;
}

static void expect(const char *text) {
    const time_t start = time(NULL);
    const size_t n = strlen(text);
    for (;;) {
        for (size_t i = seen_at; i + n <= seen_len; i++)
            if (memcmp(seen + i, text, n) == 0) {
                seen_at = i + n;
                return;
            }
        if (time(NULL) - start > 60) die("never saw", text);
        if (!listen_for(100)) die("ended before it printed", text);
    }
}

static bool echoes(void) {
    struct termios t;
    if (tcgetattr(terminal, &t) != 0) die("the terminal", "is gone");
    return (t.c_lflag & ECHO) != 0;
}

/* Changes of the terminal may come a moment after what was printed. */
static void expect_echo(bool on) {
    for (int i = 0; i < 100 && echoes() != on; i++) listen_for(20);
    if (echoes() != on) die("the terminal", on ? "does not echo" : "echoes");
}

static void type(const char *text) {
    char out[4096];
    size_t n = 0;
    for (; *text != 0 && n < sizeof out; text++) {
        if (text[0] == '\\' && text[1] == 'n') {
            out[n++] = '\n';
            text++;
        } else if (text[0] == '\\' && text[1] == '0') {
            out[n++] = (char)strtol(text + 1, NULL, 8);
            text += 3;
        } else {
            out[n++] = *text;
        }
    }
    if (write(terminal, out, n) != (ssize_t)n) die("cannot type", text);
}

/* What the command's parent tells about it: its process, that it stopped, how it ended. */
struct news {
    enum { STARTED, STOPPED, ENDED } what;
    int value;
};

static int news_pipe[2], orders[2];

static struct news get_news(void) {
    struct news n;
    if (read(news_pipe[0], &n, sizeof n) != sizeof n) die("the command's parent", "is gone");
    return n;
}

static void tell(int what, int value) {
    struct news n;
    memset(&n, 0, sizeof n);
    n.what = what == STARTED ? STARTED : what == STOPPED ? STOPPED : ENDED;
    n.value = value;
    if (write(news_pipe[1], &n, sizeof n) != sizeof n) _exit(1);
}

/* Between the terminal and the command stands what a shell is there: a session's leader that runs the command as a job.
 * (A command without a parent in its session could not be stopped.) */
static void be_shell(char **command, const char *keep) {
    char order;
    int status;
    signal(SIGTTOU, SIG_IGN);
    const pid_t job = fork();
    if (job == 0) {
        signal(SIGTTOU, SIG_IGN);
        setpgid(0, 0);
        tcsetpgrp(STDIN_FILENO, getpid());
        signal(SIGTTOU, SIG_DFL);
        if (keep) {
            const int fd = open(keep, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(fd, STDOUT_FILENO);
            close(fd);
        }
        execvp(command[0], command);
        _exit(127);
    }
    setpgid(job, job);
    tell(STARTED, job);
    for (;;) {
        if (waitpid(job, &status, WUNTRACED) != job) _exit(1);
        if (!WIFSTOPPED(status)) break;
        tell(STOPPED, 0);
        if (read(orders[0], &order, 1) != 1) _exit(1);
        kill(-job, SIGCONT);
    }
    tell(ENDED, status);
    (void)!read(orders[0], &order, 1); /* the terminal lives until it was looked at */
    _exit(0);
}

int main(int argc, char **argv) {
    int end = 1;
    const char *keep = NULL;
    while (end < argc && strcmp(argv[end], "--") != 0) {
        if (strcmp(argv[end], "keep") == 0 && end + 1 < argc) keep = argv[end + 1];
        end++;
    }
    if (end + 1 >= argc || pipe(news_pipe) != 0 || pipe(orders) != 0) return 2;
    for (int i = 0; i < 2; i++) {
        fcntl(news_pipe[i], F_SETFD, FD_CLOEXEC);
        fcntl(orders[i], F_SETFD, FD_CLOEXEC);
    }
    const pid_t shell = forkpty(&terminal, NULL, NULL, NULL);
    if (shell < 0) return 2;
    if (shell == 0) be_shell(argv + end + 1, keep);
    close(news_pipe[1]); /* or the end of a shell that could not get at its terminal would never be seen */
    close(orders[0]);
    child = (pid_t)get_news().value;
    for (int i = 1; i < end; i++) {
        const char *const word = argv[i];
        if (strcmp(word, "expect") == 0)
            expect(argv[++i]);
        else if (strcmp(word, "send") == 0)
            type(argv[++i]);
        else if (strcmp(word, "keep") == 0)
            i++;
        else if (strcmp(word, "echo") == 0)
            expect_echo(true);
        else if (strcmp(word, "noecho") == 0)
            expect_echo(false);
        else if (strcmp(word, "kill") == 0)
            kill(child, atoi(argv[++i]));
        else if (strcmp(word, "wait") == 0) {
            if (get_news().what != STOPPED) die("did not stop", "");
            expect_echo(true);
            if (write(orders[1], "c", 1) != 1) die("cannot go on", "");
        } else
            die("no such word:", word);
    }
    for (;;) { /* takes in what it prints until it ends */
        struct pollfd p[2] = {{.fd = news_pipe[0], .events = POLLIN}, {.fd = terminal, .events = POLLIN}};
        if (poll(p, 2, -1) < 0 && errno != EINTR) die("cannot", "poll");
        if (p[1].revents & POLLIN) listen_for(0);
        if ((p[0].revents & POLLIN) && !(p[1].revents & POLLIN)) break;
    }
    const struct news last = get_news();
    if (last.what != ENDED) die("stopped", "");
    for (int i = 0; i < 5; i++) listen_for(10);
    const bool echo = echoes();
    if (write(orders[1], "e", 1) != 1) die("cannot", "end");
    waitpid(shell, NULL, 0);
    fwrite(seen, 1, seen_len, stdout);
    if (WIFEXITED(last.value))
        printf("\nexit %d\n", WEXITSTATUS(last.value));
    else
        printf("\nsignal %d\n", WTERMSIG(last.value));
    puts(echo ? "echo" : "noecho");
    return 0;
}
