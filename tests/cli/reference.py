#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a file as docs/file-format.md says, with nothing of cadenza: blocks by the openssl command, GCM written out.

reference.py FILE SECRET: SECRET is a key file or a file with a passphrase; the plaintext goes to stdout. Any fault is an
exception. Slow, and no example of how to treat secrets.
"""
import ctypes
import ctypes.util
import subprocess
import sys


def argon2():
    name = ctypes.util.find_library("argon2")
    return ctypes.CDLL(name) if name else None


def ecb(cipher, key, blocks):
    command = ["openssl", "enc", "-%s-%d-ecb" % (cipher, 8 * len(key)), "-nopad", "-K", key.hex()]
    out = subprocess.run(command, input=blocks, stdout=subprocess.PIPE, check=True).stdout
    assert len(out) == len(blocks)
    return out


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def double(block):
    n = int.from_bytes(block, "big") << 1
    return ((n & (1 << 128) - 1) ^ (0x87 if n >> 128 else 0)).to_bytes(16, "big")


def cmac(key, message):
    k1 = double(ecb("aria", key, bytes(16)))
    whole = len(message) % 16 == 0 and message
    if whole:
        last = xor(message[-16:], k1)
        message = message[:-16]
    else:
        tail = message[len(message) // 16 * 16:]
        last = xor(tail + b"\x80" + bytes(15 - len(tail)), double(k1))
        message = message[:len(message) - len(tail)]
    x = bytes(16)
    for i in range(0, len(message), 16):
        x = ecb("aria", key, xor(x, message[i:i + 16]))
    return ecb("aria", key, xor(x, last))


def kdf(root, label, header, n):
    out = b""
    i = 1
    while len(out) < n:
        out += cmac(root, i.to_bytes(4, "big") + label + b"\0" + header[:80] + (8 * n).to_bytes(4, "big"))
        i += 1
    return out[:n]


def ghash_multiply(x, y):
    z = 0
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= y
        y = y >> 1 ^ (0xe1 << 120 if y & 1 else 0)
    return z


def open_gcm(cipher, key, nonce, sealed):
    body, tag = sealed[:-16], sealed[-16:]
    blocks = (len(body) + 15) // 16
    counters = b"".join(nonce + i.to_bytes(4, "big") for i in range(1, blocks + 2))
    stream = ecb(cipher, key, bytes(16) + counters)
    h, pad, stream = int.from_bytes(stream[:16], "big"), stream[16:32], stream[32:]
    # a table of 16 * 256 products makes a multiplication 16 look-ups
    table = [[0] * 256 for _ in range(16)]
    for at in range(16):
        for bit in range(8):
            table[at][1 << bit] = ghash_multiply(1 << 8 * (15 - at) + bit, h)
        for v in range(256):
            low = v & -v
            if v != low:
                table[at][v] = table[at][low] ^ table[at][v ^ low]
    y = 0
    data = body + bytes(-len(body) % 16) + bytes(8) + (8 * len(body)).to_bytes(8, "big")
    for i in range(0, len(data), 16):
        y ^= int.from_bytes(data[i:i + 16], "big")
        z = 0
        for at, v in enumerate(y.to_bytes(16, "big")):
            z ^= table[at][v]
        y = z
    assert xor(y.to_bytes(16, "big"), pad) == tag, "wrong tag"
    return xor(body, stream)


def master_of_key_file(path):
    lines = open(path, "rb").read().split(b"\n")
    assert lines[0] == b"cadenza key file, version 1" and lines[3:] == [b""]
    assert lines[1][:4] == b"key " and lines[2][:3] == b"id "
    key, key_id = bytes.fromhex(lines[1][4:].decode()), bytes.fromhex(lines[2][3:].decode())
    block = b"cadenza key id\0\0"
    assert xor(ecb("aria", key, block), block)[:8] == key_id
    return key, key_id


def main(path, secret):
    data = open(path, "rb").read()
    header = data[:96]
    assert header[:9] == bytes.fromhex("8943445a0d0a1a0a") + b"\1"
    cipher = {1: "aria", 2: "aes"}[header[9]]
    key_len = header[10]
    assert header[11] == 1 and header[14:16] == bytes(2)
    salt, commitment, tag = header[32:48], header[48:80], header[80:96]
    if header[12] == 1:
        master, key_id = master_of_key_file(secret)
        assert header[24:32] == key_id and header[16:24] == bytes(8) and header[13] == 0
    else:
        assert header[12] == 2 and header[24:32] == bytes(8)
        password = open(secret, "rb").read()
        out = ctypes.create_string_buffer(32)
        passes, memory = int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")
        assert argon2().argon2id_hash_raw(passes, memory, header[13], password, ctypes.c_size_t(len(password)), salt,
                                          ctypes.c_size_t(16), out, ctypes.c_size_t(32)) == 0
        master = out.raw
    x = [salt[:15] + bytes([i]) for i in range(5)]
    y = [ecb("aria", master, b) for b in x]
    assert xor(y[1], x[1]) + xor(y[2], x[2]) == commitment
    root = y[3] + y[4]
    assert kdf(root, b"cadenza header", header, 16) == tag
    keys = kdf(root, b"cadenza chunks", header, key_len + 7)
    key, prefix = keys[:key_len], keys[key_len:]
    body = data[96:]
    chunks = [body[i:i + 65552] for i in range(0, len(body), 65552)]
    assert chunks and (len(chunks) == 1 or len(chunks[-1]) > 16)
    for i, chunk in enumerate(chunks):
        nonce = prefix + i.to_bytes(4, "big") + bytes([i == len(chunks) - 1])
        sys.stdout.buffer.write(open_gcm(cipher, key, nonce, chunk))


if sys.argv[1:] == ["--has-argon2"]:
    sys.exit(argon2() is None)
main(*sys.argv[1:])
