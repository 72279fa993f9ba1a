/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA's diffusion (RFC 5794 section 2.4.3) in 48 XORs of whole bytes, for registers that hold one byte of the state
 * each, or one bit of it:
 *
 *     CDZ_DIFFUSE(T, XOR, X, Y)
 *
 * T is the type of a register, XOR(a, b) its operation, X(i) the input byte i; Y(i, y) is called with each output.
 *
 * Found by a greedy search for common subexpressions (after C. Paar, "Optimized arithmetic for Reed-Solomon encoders",
 * 1997); tests/test_circuits.c compares it with the matrix. It wants up to 32 registers at once.
 */
#ifndef CDZ_ARIA_DIFFUSION_H
#define CDZ_ARIA_DIFFUSION_H

#define CDZ_DIFFUSE(T, XOR, X, Y)                                                                                      \
    do {                                                                                                               \
        const T t16 = XOR(X(6), X(8)), t17 = XOR(X(7), X(13)), t18 = XOR(X(5), X(11)), t19 = XOR(X(3), X(14)),         \
                t20 = XOR(X(1), X(10)), t21 = XOR(X(4), t19), t22 = XOR(X(0), t18), t23 = XOR(X(2), X(15)),            \
                t24 = XOR(X(9), X(12)), t25 = XOR(X(2), t24), t26 = XOR(X(10), t17), t27 = XOR(X(8), t23),             \
                t28 = XOR(X(9), t21), t29 = XOR(X(14), t22), t30 = XOR(X(13), t16), t31 = XOR(X(15), t20),             \
                t32 = XOR(X(1), X(11)), t33 = XOR(X(3), t30), t34 = XOR(X(5), t27), t35 = XOR(X(7), t25),              \
                t36 = XOR(X(6), X(12)), t37 = XOR(X(4), t31), t38 = XOR(X(0), t26), t39 = XOR(X(5), t23),              \
                t40 = XOR(X(7), t24), t41 = XOR(t28, t30), t42 = XOR(t34, t40), t43 = XOR(t32, t35),                   \
                t44 = XOR(t21, t35), t45 = XOR(X(11), t36), t46 = XOR(X(1), t36), t47 = XOR(X(12), t33),               \
                t48 = XOR(X(3), t38), t49 = XOR(t37, t45), t50 = XOR(t17, t37), t51 = XOR(X(4), t34),                  \
                t52 = XOR(t33, t39), t53 = XOR(X(6), t43), t54 = XOR(t22, t28), t55 = XOR(t25, t38),                   \
                t56 = XOR(t29, t46), t57 = XOR(t27, t29), t58 = XOR(t20, t51), t59 = XOR(t28, t31),                    \
                t60 = XOR(t16, t48), t61 = XOR(t32, t47), t62 = XOR(t26, t29), t63 = XOR(X(0), t50);                   \
        Y(0, t41);                                                                                                     \
        Y(1, t42);                                                                                                     \
        Y(2, t49);                                                                                                     \
        Y(3, t62);                                                                                                     \
        Y(4, t57);                                                                                                     \
        Y(5, t59);                                                                                                     \
        Y(6, t55);                                                                                                     \
        Y(7, t61);                                                                                                     \
        Y(8, t63);                                                                                                     \
        Y(9, t56);                                                                                                     \
        Y(10, t52);                                                                                                    \
        Y(11, t44);                                                                                                    \
        Y(12, t53);                                                                                                    \
        Y(13, t60);                                                                                                    \
        Y(14, t54);                                                                                                    \
        Y(15, t58);                                                                                                    \
    } while (0)

#endif
