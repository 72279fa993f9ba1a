/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes in which a block waits for the one before: CBC and CFB encryption, OFB, CBC-MAC. Written once over T(word)
 * as aes_parallel.inc.h is, for vectors of one block.
 *
 * What counts is the time from one block to the next. The next block's first input is (this block's output) ^
 * (something known before) ^ (the first round key), and all but the output can be added to the last round's key in
 * advance. So x below is the next block's state with the first key already in it, and the output is taken out of x on
 * the side.
 */
static CDZ_KERNEL void T(cbc_encrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    if (!blocks) return;
    T(vec) x = T(xor3)(T(load)(iv), T(load)(in), T(first)(&k));
    for (; --blocks; out += 16) {
        in += 16;
        const T(vec) m = T(xor)(T(load)(in), T(first)(&k));
        T(enc_rounds)(&k, &x, 1);
        x = T(enc_last_xor)(&k, x, m);
        T(store)(out, T(xor)(x, m));
    }
    T(enc_rounds)(&k, &x, 1);
    x = T(enc_last)(&k, x);
    T(store)(out, x);
    T(store)(iv, x);
}

static CDZ_KERNEL void T(cbc_mac)(const void *ks, uint8_t mac[16], const uint8_t *in, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    if (!blocks) return;
    T(vec) x = T(xor3)(T(load)(mac), T(load)(in), T(first)(&k));
    while (--blocks) {
        in += 16;
        const T(vec) m = T(xor)(T(load)(in), T(first)(&k));
        T(enc_rounds)(&k, &x, 1);
        x = T(enc_last_xor)(&k, x, m);
    }
    T(enc_rounds)(&k, &x, 1);
    T(store)(mac, T(enc_last)(&k, x));
}

static CDZ_KERNEL void T(cfb_encrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) x = T(xor)(T(load)(iv), T(first)(&k));
    for (; blocks; blocks--, in += 16, out += 16) {
        const T(vec) m = T(xor)(T(load)(in), T(first)(&k));
        T(enc_rounds)(&k, &x, 1);
        x = T(enc_last_xor)(&k, x, m);
        T(store)(out, T(xor)(x, T(first)(&k)));
    }
    T(store)(iv, T(xor)(x, T(first)(&k)));
}

static CDZ_KERNEL void T(ofb)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) x = T(xor)(T(load)(iv), T(first)(&k));
    for (; blocks; blocks--, in += 16, out += 16) {
        T(enc_rounds)(&k, &x, 1);
        x = T(enc_last_xor)(&k, x, T(first)(&k));
        T(store)(out, T(xor3)(x, T(first)(&k), T(load)(in)));
    }
    T(store)(iv, T(xor)(x, T(first)(&k)));
}
