/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA in modes that chain: each block waits for the one before, so the time of one block is all that counts. What the
 * next block needs is made right out of the last substitution, with all round keys and plaintext that meet there added
 * beforehand, in parallel with what is stored. Included once, with 128-bit vectors.
 */

/* From the first round key (added already) to the last substitution. */
CDZ_INLINE vec VEC(serial_rounds)(const struct cdz_aria_way *way, size_t rounds, vec x) {
    const uint8_t(*row)[16] = way->row;
    const uint8_t(*t)[4][2][16] = aria_terms;
    for (size_t odds = rounds / 2;; row += 2) {
        ROW_TABLE(t, row);
        x = VEC(row_round)(x, v_load(row[1]), 0, t);
        if (!--odds) return x;
        x = VEC(row_round)(x, v_load(row[2]), 1, t);
    }
}

static CDZ_KERNEL void cbc_encrypt_kernel(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16],
                                          const uint8_t *in, uint8_t *out, size_t blocks) {
    const vec first = v_load(way->row[0]), last = v_load(way->row[rounds]);
    vec x = v_xor3(first, v_load(iv), v_load(in)), c;
    for (;;) {
        x = VEC(serial_rounds)(way, rounds, x);
        c = VEC(row_sub)(x, last, 1);
        if (!--blocks) break;
        in += 16;
        x = VEC(row_sub)(x, v_xor3(first, last, v_load(in)), 1);
        v_store(out, c);
        out += 16;
    }
    v_store(out, c);
    v_store(iv, c);
}

static CDZ_KERNEL void cbc_mac_kernel(const struct cdz_aria_way *way, size_t rounds, uint8_t mac[16], const uint8_t *in,
                                      size_t blocks) {
    const vec first = v_load(way->row[0]), last = v_load(way->row[rounds]);
    vec x = v_xor3(first, v_load(mac), v_load(in));
    for (;;) {
        x = VEC(serial_rounds)(way, rounds, x);
        if (!--blocks) break;
        in += 16;
        x = VEC(row_sub)(x, v_xor3(first, last, v_load(in)), 1);
    }
    v_store(mac, VEC(row_sub)(x, last, 1));
}

static CDZ_KERNEL void cfb_encrypt_kernel(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16],
                                          const uint8_t *in, uint8_t *out, size_t blocks) {
    const vec first = v_load(way->row[0]), last = v_load(way->row[rounds]);
    vec x = v_xor(first, v_load(iv)), c;
    for (;;) {
        const vec key = v_xor(last, v_load(in));
        x = VEC(serial_rounds)(way, rounds, x);
        c = VEC(row_sub)(x, key, 1);
        v_store(out, c);
        if (!--blocks) break;
        x = VEC(row_sub)(x, v_xor(first, key), 1);
        in += 16, out += 16;
    }
    v_store(iv, c);
}

static CDZ_KERNEL void ofb_kernel(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in,
                                  uint8_t *out, size_t blocks) {
    const vec first = v_load(way->row[0]), last = v_load(way->row[rounds]), both = v_xor(first, last);
    vec x = v_xor(first, v_load(iv)), k;
    for (;;) {
        x = VEC(serial_rounds)(way, rounds, x);
        k = VEC(row_sub)(x, last, 1);
        v_store(out, v_xor(k, v_load(in)));
        if (!--blocks) break;
        x = VEC(row_sub)(x, both, 1);
        in += 16, out += 16;
    }
    v_store(iv, k);
}
