/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to words and back in a named order, XOR of byte strings, wiping, comparing in constant time. */
#ifndef CDZ_BYTES_H
#define CDZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CDZ_BSWAP_BE64(x) (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(x) : (x))
#define CDZ_BSWAP_LE64(x) (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? (x) : __builtin_bswap64(x))
#define CDZ_BSWAP_BE32(x) (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(x) : (x))
#define CDZ_BSWAP_LE32(x) (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? (x) : __builtin_bswap32(x))

#define CDZ_DEFINE_WORD(name, type, swap)                                                                              \
    static inline type cdz_load_##name(const void *p) {                                                                \
        type x;                                                                                                        \
        memcpy(&x, p, sizeof x);                                                                                       \
        return swap(x);                                                                                                \
    }                                                                                                                  \
    static inline void cdz_store_##name(void *p, type x) {                                                             \
        x = swap(x);                                                                                                   \
        memcpy(p, &x, sizeof x);                                                                                       \
    }
CDZ_DEFINE_WORD(be64, uint64_t, CDZ_BSWAP_BE64)
CDZ_DEFINE_WORD(le64, uint64_t, CDZ_BSWAP_LE64)
CDZ_DEFINE_WORD(be32, uint32_t, CDZ_BSWAP_BE32)
CDZ_DEFINE_WORD(le32, uint32_t, CDZ_BSWAP_LE32)
#undef CDZ_DEFINE_WORD

/*
 * Two words as 16 bytes, by one store where the CPU has one: a vector load of 16 bytes that follows at once takes them
 * from it, where it would have to wait until two stores of 8 bytes have reached the cache.
 */
static inline void cdz_store_le128(void *p, uint64_t low, uint64_t high) {
    typedef uint64_t pair __attribute__((vector_size(16)));
    const pair x = {CDZ_BSWAP_LE64(low), CDZ_BSWAP_LE64(high)};
    memcpy(p, &x, 16);
}
static inline void cdz_store_be128(void *p, uint64_t high, uint64_t low) {
    typedef uint64_t pair __attribute__((vector_size(16)));
    const pair x = {CDZ_BSWAP_BE64(high), CDZ_BSWAP_BE64(low)};
    memcpy(p, &x, 16);
}

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CDZ_MSAN_BUILD 1
#endif
#endif

/* The compiler must take the variable x for something new, in a register of the class named. MemorySanitizer demands
 * that what goes into assembly is public, and takes for public what comes out of it: there it is any memory that may
 * have changed. */
#ifdef CDZ_MSAN_BUILD
#define CDZ_OPAQUE(class, x) __asm__ volatile("" : : "r"(&(x)) : "memory")
#else
#define CDZ_OPAQUE(class, x) __asm__("" : "+" class(x))
#endif

/* ... it can then not turn arithmetic on a mask back into a branch. */
static inline uint64_t cdz_value_barrier(uint64_t x) {
    CDZ_OPAQUE("r", x);
    return x;
}

/* memset that is not optimised away. */
static inline void cdz_wipe(void *p, size_t n) {
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* memcpy for secrets of a length that the compiler does not know: the C library's would leave them in vector registers,
 * wide ones included (ymm16 and up where the CPU has AVX-512), which code for the baseline cannot clear. */
static inline void cdz_copy(void *to, const void *from, size_t n) {
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    for (; n >= 8; n -= 8, t += 8, f += 8) {
        uint64_t x;
        memcpy(&x, f, 8);
        x = cdz_value_barrier(x); /* else the loop would be made memcpy again */
        memcpy(t, &x, 8);
    }
    for (; n; n--) {
        uint8_t x = *f++;
        CDZ_OPAQUE("r", x);
        *t++ = x;
    }
}

/* out = a ^ b for 16 bytes; any of them may be the same. */
static inline void cdz_xor16(uint8_t *out, const uint8_t *a, const uint8_t *b) {
    typedef uint64_t pair __attribute__((vector_size(16)));
    pair x, y;
    memcpy(&x, a, 16);
    memcpy(&y, b, 16);
    x ^= y;
    memcpy(out, &x, 16);
}

/* out = a ^ b for n bytes; any of them may be the same. */
static inline void cdz_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n) {
    for (; n >= 16; n -= 16, out += 16, a += 16, b += 16) cdz_xor16(out, a, b);
    for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(a[i] ^ b[i]);
}

/* All ones where a and b are equal, else 0, in a time that depends on n alone. */
static inline uint64_t cdz_equal_mask(const uint8_t *a, const uint8_t *b, size_t n) {
    uint64_t d = 0;
    for (size_t i = 0; i < n; i++) d |= (uint64_t)(a[i] ^ b[i]);
    d = cdz_value_barrier(d);
    return cdz_value_barrier(((d - 1) >> 63) * UINT64_MAX);
}

/* Zeroes n bytes where mask is all ones and leaves them where it is 0, without a branch on it. */
static inline void cdz_clear_if(uint8_t *p, size_t n, uint64_t mask) {
    const uint8_t keep = (uint8_t)~mask;
    for (size_t i = 0; i < n; i++) p[i] &= keep;
}

/* x * 2 in GF(2^128) as CMAC, OCB, SIV and EAX have it: a big-endian number, polynomial 0x87. */
static inline void cdz_double_be(uint8_t out[16], const uint8_t in[16]) {
    const uint64_t h = cdz_load_be64(in), l = cdz_load_be64(in + 8);
    const uint64_t carry = cdz_value_barrier(0 - (h >> 63));
    cdz_store_be64(out, h << 1 | l >> 63);
    cdz_store_be64(out + 8, l << 1 ^ (carry & 0x87));
}

/* The same as XTS has it: a little-endian number. */
static inline void cdz_double_le(uint8_t out[16], const uint8_t in[16]) {
    const uint64_t l = cdz_load_le64(in), h = cdz_load_le64(in + 8);
    const uint64_t carry = cdz_value_barrier(0 - (h >> 63));
    cdz_store_le64(out + 8, h << 1 | l >> 63);
    cdz_store_le64(out, l << 1 ^ (carry & 0x87));
}

#endif
