/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter mode and CBC-MAC side by side (CCM, EAX): over T(word) as aes_serial.inc.h is, for vectors of one block.
 *
 * The chain of the MAC is what a message costs, as there; the counters ride in its gaps, a block ahead of it:
 *
 *     chain      | block i: rounds                 | block i + 1: rounds
 *     counter    | keystream of block i + 1        | keystream of block i + 2
 *
 * What the chain takes in next, of the input or of the output, is added to the last round's key, off the chain.
 */
static CDZ_KERNEL void T(ctr_mac)(const void *ks, uint8_t ctr[16], uint8_t mac[16], const uint8_t *in, uint8_t *out,
                                  size_t blocks, bool of_input) {
    const struct T(keys) k = T(enc_keys)(ks);
    if (!blocks) return;
    const T(vec) of_output = T(fill)(of_input ? 0 : 0xff); /* a mask: one loop serves both */
    T(vec) c = T(reverse)(T(load)(ctr)), s[2];             /* s: the chain, the counter */
    T(vec) d = T(load)(in);
    s[1] = T(xor)(T(load)(ctr), T(first)(&k));
    T(enc_rounds)(&k, s + 1, 1);
    T(vec) stream = T(enc_last)(&k, s[1]);
    T(store)(out, T(xor)(d, stream));
    s[0] = T(xor3)(T(load)(mac), d, T(first)(&k));
    if (!of_input) s[0] = T(xor)(s[0], stream); /* no mask: the first chain would wait for what it does not need */
    while (--blocks) {
        in += 16, out += 16;
        c = T(next)(c);
        s[1] = T(xor)(T(reverse)(c), T(first)(&k));
        d = T(load)(in);
        T(enc_rounds)(&k, s, 2);
        stream = T(enc_last)(&k, s[1]);
        T(store)(out, T(xor)(d, stream));
        s[0] = T(enc_last_xor)(&k, s[0], T(xor3)(d, T(and)(stream, of_output), T(first)(&k)));
    }
    T(enc_rounds)(&k, s, 1);
    T(store)(mac, T(enc_last)(&k, s[0]));
    T(store)(ctr, T(reverse)(T(next)(c)));
}
