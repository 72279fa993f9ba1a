/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call leaves behind on its stack and in the registers: residue.c runs it on a stack of its own, painted before,
 * with clean vector registers, and takes a picture of both right after its return.
 */
#ifndef CDZ_TEST_RESIDUE_H
#define CDZ_TEST_RESIDUE_H

#include <stddef.h>
#include <stdint.h>

enum { RESIDUE_STACK = 192 * 1024, RESIDUE_REGISTERS = 32 * 64 + 8 * 8 + 16 * 8 };

struct picture {
    uint8_t stack[RESIDUE_STACK];
    uint8_t registers[RESIDUE_REGISTERS];
};

/* Calls f(arg) and fills the picture. */
void residue_run(void (*f)(void *arg), void *arg, struct picture *p);

/* Where in the picture an offset lies: "stack, 512 bytes below its top", "zmm3, byte 7". */
const char *residue_place(size_t offset);

#endif
