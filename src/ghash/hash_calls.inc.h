/* SPDX-License-Identifier: Apache-2.0 */
/* ghash() and polyval() of the contract (src/engine.h) around this file's ghash_kernel() and polyval_kernel(),
 * HASH_STACK bytes of stack cleared behind them. */
static void ghash(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    if (!blocks) return;
    ghash_kernel(hk, y, in, blocks);
    cdz_leave_nothing(HASH_STACK);
}

static void polyval(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    if (!blocks) return;
    polyval_kernel(hk, y, in, blocks);
    cdz_leave_nothing(HASH_STACK);
}
