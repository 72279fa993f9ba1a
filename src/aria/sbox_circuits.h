/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA's four S-boxes as circuits of two-input gates over words of bits, one bit a block. S1 is AES's S-box, X1 its
 * inverse; S2 is ARIA's own (RFC 5794 section 2.4.2), X2 its inverse.
 *
 *     CDZ_S1(T, XOR, AND, a0 .. a7, r0 .. r7)
 *
 * T is the type of a word, XOR(x, y) and AND(x, y) its operations, a0 the lowest bit. All inputs are read before any
 * result is written, so that results may replace inputs.
 *
 * Constants are left out, for the round keys to bring:
 *
 *     S1(x) = CDZ_S1(x) ^ 0x63      X1(x) = CDZ_X1(x ^ 0x63)
 *     S2(x) = CDZ_S2(x) ^ 0xe2      X2(x) = CDZ_X2(x ^ 0xe2)
 *
 * 112, 111, 114 and 112 gates, 32 of them AND. The inversion in the middle (t2 to t45 and the products z) is the one of
 * J. Boyar and R. Peralta, "A small depth-16 circuit for the AES S-box" (2012); the linear layers around it are each
 * S-box's own.
 *
 *     CDZ_INVERT(T, XOR, AND, a0 .. a7, r0 .. r7)
 *
 * is that inversion alone, in bases that make its linear layers least: 96 gates of depth 20 (S1 has 35). It turns F x
 * into H / x, where 0 counts as its own inverse and F and H are the matrices with the columns
 *
 *     F = fe 1e de f8 4c 78 f0 9d     H = 58 03 12 af a0 ca 93 c3     (column j is the image of x^j)
 *
 * tests/test_circuits.c recomputes all 256 values of each from the field. The gates stand in an order that keeps few
 * values alive at a time (found by simulated annealing, for 15 registers and two-operand instructions).
 */
#ifndef CDZ_SBOX_CIRCUITS_H
#define CDZ_SBOX_CIRCUITS_H

#define CDZ_S1(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i0 = (a0), i3 = (a3), i1 = (a1), i7 = (a7), i2 = (a2), i6 = (a6), i5 = (a5), p10 = XOR(i2, i1),        \
                p11 = XOR(p10, i7), p12 = XOR(i0, p10), i4 = (a4), p8 = XOR(i6, i4), p9 = XOR(i3, i5),                 \
                p13 = XOR(p11, i0), p14 = XOR(p13, i4), p15 = XOR(p9, p14), p16 = XOR(p15, p12), p23 = XOR(p16, i1),   \
                p24 = XOR(p23, p8), p20 = XOR(p11, p16), p21 = XOR(p20, p8), p25 = XOR(p14, p24), p29 = XOR(i4, p12),  \
                t12 = AND(p12, i7), p18 = XOR(i3, p16), p26 = XOR(p25, p18), p22 = XOR(p13, i5), t2 = AND(p20, p22),   \
                p27 = XOR(i7, p26), t13 = AND(p27, p21), t14 = XOR(t12, t13), p17 = XOR(p8, p15), t7 = AND(p8, p24),   \
                t8 = AND(p17, p25), t9 = XOR(t8, t7), t19 = XOR(t14, t9), t23 = XOR(p23, t19), p19 = XOR(p17, p11),    \
                t15 = AND(p19, p26), t16 = XOR(t12, t15), t3 = AND(p18, p11), t4 = XOR(t2, t3), t17 = XOR(t14, t4),    \
                t21 = XOR(p13, t17), p28 = XOR(p19, p26), t5 = AND(p16, p29), t6 = XOR(t5, t2), t18 = XOR(t6, t16),    \
                t22 = XOR(p28, t18), t25 = XOR(t22, t21), t26 = AND(t21, t23), t10 = AND(p14, p15),                    \
                t11 = XOR(t7, t10), t20 = XOR(t16, t11), t24 = XOR(p9, t20), t31 = XOR(t22, t26), t30 = XOR(t24, t23), \
                t32 = AND(t31, t30), t33 = XOR(t24, t32), t27 = XOR(t26, t24), t28 = AND(t27, t25),                    \
                t29 = XOR(t28, t22), t35 = XOR(t27, t33), t36 = AND(t35, t24), t38 = XOR(t36, t27),                    \
                t39 = AND(t29, t38), t40 = XOR(t39, t25), t43 = XOR(t40, t29), t34 = XOR(t33, t23),                    \
                t37 = XOR(t34, t36), z3 = AND(p24, t43), t42 = XOR(t29, t33), t41 = XOR(t37, t40), z6 = AND(i7, t42),  \
                q18 = XOR(z3, z6), z11 = AND(t33, p16), z14 = AND(p15, t29), q23 = XOR(z11, z14), z8 = AND(t41, p26),  \
                q24 = XOR(q18, z8), z5 = AND(p14, t29), q25 = XOR(q24, z5);                                            \
        (r2) = q25;                                                                                                    \
        const T z12 = AND(t43, p8), z4 = AND(t40, p25), z1 = AND(p18, t37), q22 = XOR(z4, z1), z2 = AND(p29, t33),     \
                q28 = XOR(q22, z2), q29 = XOR(q24, q28);                                                               \
        (r1) = q29;                                                                                                    \
        const T t44 = XOR(t33, t37), z0 = AND(p22, t44), q34 = XOR(z0, z3), q35 = XOR(q22, q34), z9 = AND(t44, p20),   \
                z15 = AND(p12, t42), t45 = XOR(t41, t42), z16 = AND(p21, t45), q19 = XOR(z16, z12),                    \
                q20 = XOR(q19, z15), z10 = AND(t37, p11), q26 = XOR(q20, z10), q27 = XOR(q26, q23),                    \
                z17 = AND(t41, p19), q43 = XOR(z17, q35), q44 = XOR(q43, z9), q42 = XOR(z15, z11),                     \
                q45 = XOR(q44, q42);                                                                                   \
        (r3) = q45;                                                                                                    \
        const T z13 = AND(p17, t40), q21 = XOR(z13, q20);                                                              \
        (r7) = q21;                                                                                                    \
        const T z7 = AND(t45, p27), q31 = XOR(z4, q18), q32 = XOR(z7, q31), q33 = XOR(q32, q27);                       \
        (r5) = q33;                                                                                                    \
        const T q30 = XOR(q29, q27);                                                                                   \
        (r4) = q30;                                                                                                    \
        const T q36 = XOR(q25, q35), q37 = XOR(q27, q36);                                                              \
        (r0) = q37;                                                                                                    \
        const T q38 = XOR(q30, z12), q39 = XOR(q33, z9), q40 = XOR(q38, q39), q41 = XOR(q23, q40);                     \
        (r6) = q41;                                                                                                    \
    } while (0)

#define CDZ_S2(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i2 = (a2), i1 = (a1), i3 = (a3), i4 = (a4), p12 = XOR(i2, i1), i0 = (a0), i5 = (a5),                   \
                p13 = XOR(p12, i0), p8 = XOR(i4, i5), i6 = (a6), i7 = (a7), p9 = XOR(i7, p8), p10 = XOR(p9, i3),       \
                p11 = XOR(i0, i7), p14 = XOR(p13, i4), p16 = XOR(p12, i7), p21 = XOR(i6, p14), p15 = XOR(p9, p14),     \
                p17 = XOR(p10, p16), p22 = XOR(p21, p11), p23 = XOR(p22, p10), t7 = AND(i7, p13), t12 = AND(p17, p15), \
                p24 = XOR(i2, p23), t2 = AND(p8, p11), t13 = AND(p9, p16), t14 = XOR(t13, t12), t15 = AND(p10, p14),   \
                t16 = XOR(t15, t12), p25 = XOR(p24, p15), p27 = XOR(p25, i7), p20 = XOR(p16, i0), t8 = AND(p23, p27),  \
                t9 = XOR(t8, t7), t19 = XOR(t9, t14), t23 = XOR(p20, t19), p18 = XOR(p15, i3), t5 = AND(p24, p21),     \
                t6 = XOR(t2, t5), t18 = XOR(t16, t6), t22 = XOR(p18, t18), p26 = XOR(p8, p24), p28 = XOR(p23, p13),    \
                t10 = AND(p25, p28), t11 = XOR(t10, t7), t20 = XOR(t11, t16), p29 = XOR(p28, p25),                     \
                t24 = XOR(t20, p29), p19 = XOR(p15, p17), t3 = AND(p22, p26), t4 = XOR(t2, t3), t17 = XOR(t14, t4),    \
                t21 = XOR(p19, t17), t26 = AND(t23, t21), t31 = XOR(t22, t26), t30 = XOR(t23, t24),                    \
                t32 = AND(t31, t30), t33 = XOR(t32, t24), t25 = XOR(t21, t22), t27 = XOR(t24, t26),                    \
                t35 = XOR(t33, t27), t36 = AND(t24, t35), z11 = AND(t33, p24), t28 = AND(t25, t27),                    \
                t29 = XOR(t22, t28), t38 = XOR(t36, t27), t39 = AND(t29, t38), t40 = XOR(t39, t25),                    \
                t42 = XOR(t29, t33), t34 = XOR(t33, t23), t37 = XOR(t34, t36), t44 = XOR(t33, t37),                    \
                t41 = XOR(t40, t37), z8 = AND(p10, t41), z10 = AND(p26, t37), q19 = XOR(z11, z10), z9 = AND(p8, t44),  \
                q26 = XOR(z11, z9), z17 = AND(t41, p14), q22 = XOR(z8, z17), t45 = XOR(t41, t42), z15 = AND(p15, t42), \
                q29 = XOR(q26, z15), q30 = XOR(q29, q22), z5 = AND(p28, t29), z6 = AND(p17, t42), z0 = AND(t44, p11),  \
                q18 = XOR(z6, z0), z2 = AND(t33, p21), q33 = XOR(z2, q18), z7 = AND(t45, p16), z14 = AND(t29, p25),    \
                z16 = AND(t45, p9), q27 = XOR(q19, z16), q35 = XOR(q22, q27), z13 = AND(t40, p27),                     \
                q23 = XOR(z13, z14), q24 = XOR(q19, q23);                                                              \
        (r4) = q24;                                                                                                    \
        const T t43 = XOR(t29, t40), z1 = AND(t37, p22), q20 = XOR(z7, q18), q21 = XOR(z1, q20), z4 = AND(t40, p23),   \
                q28 = XOR(z4, z5), q31 = XOR(q28, z7), q25 = XOR(q24, q21);                                            \
        (r6) = q25;                                                                                                    \
        const T z3 = AND(t43, p13), q43 = XOR(q30, z3), q42 = XOR(z5, z6), q44 = XOR(q43, q42);                        \
        (r5) = q44;                                                                                                    \
        const T z12 = AND(t43, i7), q39 = XOR(q25, q26), q40 = XOR(z12, q39), q41 = XOR(q40, z14);                     \
        (r3) = q41;                                                                                                    \
        const T q32 = XOR(q30, q31);                                                                                   \
        (r7) = q32;                                                                                                    \
        const T q34 = XOR(q33, q31);                                                                                   \
        (r1) = q34;                                                                                                    \
        const T q36 = XOR(q35, q33);                                                                                   \
        (r2) = q36;                                                                                                    \
        const T q37 = XOR(q21, z8), q38 = XOR(q37, q35);                                                               \
        (r0) = q38;                                                                                                    \
    } while (0)

#define CDZ_X1(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i0 = (a0), i4 = (a4), i6 = (a6), i7 = (a7), i3 = (a3), p10 = XOR(i7, i4), i1 = (a1),                   \
                p13 = XOR(i0, i1), i2 = (a2), p14 = XOR(i2, p13), p11 = XOR(i6, p10), p15 = XOR(p14, p11), i5 = (a5),  \
                p16 = XOR(i4, p11), p19 = XOR(p15, i5), p9 = XOR(i7, i3), p17 = XOR(p13, p16), p18 = XOR(p17, p10),    \
                p8 = XOR(i4, i3), p20 = XOR(p18, p19), t12 = AND(p20, p18), p21 = XOR(p20, p11), p22 = XOR(i3, i0),    \
                t15 = AND(p11, p10), t16 = XOR(t15, t12), t13 = AND(p21, p17), t14 = XOR(t12, t13),                    \
                p12 = XOR(p11, i3), p23 = XOR(p16, p22), p24 = XOR(p23, p15), p25 = XOR(p20, p24), t7 = AND(p16, p23), \
                p26 = XOR(p25, p14), t2 = AND(p26, p13), t3 = AND(p14, p9), t4 = XOR(t3, t2), t17 = XOR(t4, t14),      \
                t21 = XOR(p19, t17), p28 = XOR(p9, p13), t8 = AND(p15, p8), t9 = XOR(t7, t8), t19 = XOR(t9, t14),      \
                t23 = XOR(p22, t19), t5 = AND(p28, p25), t6 = XOR(t2, t5), t18 = XOR(t16, t6), t22 = XOR(t18, i6),     \
                p27 = XOR(p12, p24), t10 = AND(p24, p12), t11 = XOR(t7, t10), t20 = XOR(t16, t11),                     \
                t24 = XOR(p27, t20), t26 = AND(t23, t21), t30 = XOR(t24, t23), t31 = XOR(t26, t22),                    \
                t32 = AND(t30, t31), t33 = XOR(t24, t32), z2 = AND(t33, p28), t27 = XOR(t26, t24),                     \
                t25 = XOR(t21, t22), t35 = XOR(t27, t33), t36 = AND(t24, t35), t28 = AND(t25, t27),                    \
                t29 = XOR(t28, t22), t34 = XOR(t23, t33), t37 = XOR(t36, t34), z5 = AND(p12, t29),                     \
                z11 = AND(t33, p25), t44 = XOR(t37, t33), t42 = XOR(t29, t33), t38 = XOR(t36, t27),                    \
                t39 = AND(t38, t29), t40 = XOR(t39, t25), z14 = AND(t29, p24), z0 = AND(p13, t44), q18 = XOR(z0, z5),  \
                t43 = XOR(t40, t29), z3 = AND(p16, t43), q19 = XOR(z14, q18), q20 = XOR(z3, q19), q21 = XOR(z2, q20),  \
                z9 = AND(t44, p26), q25 = XOR(z11, z9), z12 = AND(t43, p23), q33 = XOR(z12, q25), z13 = AND(t40, p15), \
                q22 = XOR(z13, q21), q34 = XOR(q21, q33);                                                              \
        (r1) = q34;                                                                                                    \
        const T t41 = XOR(t37, t40), z4 = AND(t40, p8), z10 = AND(t37, p14), q26 = XOR(q22, z10), q27 = XOR(q26, z11); \
        (r7) = q27;                                                                                                    \
        const T t45 = XOR(t41, t42), z15 = AND(p20, t42), q28 = XOR(z15, q25), z17 = AND(t41, p11),                    \
                q37 = XOR(q27, q28), q38 = XOR(q37, z17);                                                              \
        (r4) = q38;                                                                                                    \
        const T z6 = AND(t42, p18), q30 = XOR(z6, z4), z8 = AND(t41, p10), z16 = AND(p21, t45), q23 = XOR(q22, z16),   \
                z7 = AND(p17, t45), q24 = XOR(z7, z17), q31 = XOR(q24, q23), q35 = XOR(q30, z3), q36 = XOR(q31, q35);  \
        (r6) = q36;                                                                                                    \
        const T z1 = AND(t37, p9), q32 = XOR(z8, z1), q29 = XOR(q23, q28);                                             \
        (r2) = q29;                                                                                                    \
        const T q43 = XOR(z14, q31), q44 = XOR(q43, q33), q45 = XOR(q29, q44), q46 = XOR(z5, z4), q47 = XOR(z8, q46),  \
                q48 = XOR(q45, q47);                                                                                   \
        (r3) = q48;                                                                                                    \
        const T q39 = XOR(q32, q31), q40 = XOR(q39, z2);                                                               \
        (r5) = q40;                                                                                                    \
        const T q41 = XOR(q32, q30), q42 = XOR(q18, q41);                                                              \
        (r0) = q42;                                                                                                    \
    } while (0)

#define CDZ_X2(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i3 = (a3), i5 = (a5), i1 = (a1), i7 = (a7), i4 = (a4), p10 = XOR(i4, i1), i2 = (a2), i6 = (a6),        \
                i0 = (a0), p15 = XOR(i7, i6), p16 = XOR(p10, p15), p8 = XOR(i5, i3), p17 = XOR(i0, p16),               \
                p19 = XOR(p8, p17), p11 = XOR(p10, i5), p20 = XOR(p19, p11), p21 = XOR(i7, p20), p9 = XOR(p8, i2),     \
                p18 = XOR(p17, i4), p22 = XOR(p18, p21), p23 = XOR(p10, p22), p24 = XOR(p9, p23), t12 = AND(p20, p9),  \
                t15 = AND(p24, p19), t16 = XOR(t12, t15), t13 = AND(p23, p11), t14 = XOR(t13, t12), t7 = AND(i0, p22), \
                p12 = XOR(i0, p11), t8 = AND(p17, p21), t9 = XOR(t8, t7), t19 = XOR(t9, t14), p28 = XOR(p22, i0),      \
                t23 = XOR(t19, p28), p13 = XOR(p8, p12), t10 = AND(p16, p18), t11 = XOR(t7, t10), t20 = XOR(t11, t16), \
                p14 = XOR(i0, i4), t24 = XOR(t20, p14), t2 = AND(p10, p12), p25 = XOR(p24, p21), p29 = XOR(p18, p9),   \
                t3 = AND(p8, p25), t4 = XOR(t3, t2), t17 = XOR(t14, t4), p27 = XOR(p9, p20), t21 = XOR(t17, p27),      \
                p26 = XOR(p19, p24), t5 = AND(p29, p13), t6 = XOR(t5, t2), t18 = XOR(t16, t6), t22 = XOR(p26, t18),    \
                t26 = AND(t21, t23), t27 = XOR(t24, t26), t30 = XOR(t23, t24), t31 = XOR(t26, t22),                    \
                t32 = AND(t30, t31), t33 = XOR(t32, t24), t25 = XOR(t22, t21), t35 = XOR(t33, t27),                    \
                t36 = AND(t24, t35), z2 = AND(t33, p29), t34 = XOR(t23, t33), t37 = XOR(t34, t36),                     \
                t28 = AND(t27, t25), t29 = XOR(t28, t22), z5 = AND(p18, t29), z1 = AND(t37, p25), q18 = XOR(z1, z2),   \
                z10 = AND(p8, t37), z11 = AND(t33, p13), t38 = XOR(t27, t36), t39 = AND(t38, t29),                     \
                t40 = XOR(t25, t39), z14 = AND(t29, p16), t41 = XOR(t40, t37), z8 = AND(t41, p24),                     \
                t44 = XOR(t33, t37), t42 = XOR(t33, t29), t45 = XOR(t42, t41), z4 = AND(t40, p21), q20 = XOR(z4, q18), \
                q21 = XOR(q20, z5);                                                                                    \
        (r2) = q21;                                                                                                    \
        const T z16 = AND(t45, p11), t43 = XOR(t29, t40), z7 = AND(p23, t45), q33 = XOR(z7, q18), q36 = XOR(q33, z8),  \
                z6 = AND(t42, p9), q30 = XOR(z8, z6), z13 = AND(p17, t40), q22 = XOR(z13, z14), q25 = XOR(q22, q21),   \
                z17 = AND(t41, p19), q26 = XOR(z17, z16), q27 = XOR(q26, q25);                                         \
        (r0) = q27;                                                                                                    \
        const T z15 = AND(t42, p20), q19 = XOR(z16, z10), q23 = XOR(z15, q19), z0 = AND(t44, p10), q31 = XOR(q27, z0), \
                q32 = XOR(z2, q31), q34 = XOR(q30, q32), q35 = XOR(q34, q21);                                          \
        (r6) = q35;                                                                                                    \
        const T q28 = XOR(z10, z11), q29 = XOR(q28, q25);                                                              \
        (r5) = q29;                                                                                                    \
        const T q37 = XOR(q29, q34), q38 = XOR(q37, q36);                                                              \
        (r7) = q38;                                                                                                    \
        const T z9 = AND(p12, t44), q24 = XOR(z9, q23);                                                                \
        (r3) = q24;                                                                                                    \
        const T q39 = XOR(q24, z5), z3 = AND(p22, t43), q40 = XOR(z3, q30), q41 = XOR(q39, q40);                       \
        (r4) = q41;                                                                                                    \
        const T z12 = AND(t43, i0), q43 = XOR(z11, q23), q44 = XOR(z12, q43), q42 = XOR(q36, z14),                     \
                q45 = XOR(q44, q42);                                                                                   \
        (r1) = q45;                                                                                                    \
    } while (0)

#define CDZ_INVERT(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                        \
    do {                                                                                                               \
        const T i0 = (a0), i5 = (a5), i7 = (a7), i1 = (a1), i6 = (a6), p12 = XOR(i5, i1), p14 = XOR(i0, i7),           \
                t12 = AND(i0, i1), i2 = (a2), t15 = AND(i5, i7), t16 = XOR(t12, t15), i3 = (a3), t13 = AND(p12, p14),  \
                t14 = XOR(t13, t12), p13 = XOR(i6, i2), p10 = XOR(i1, i3), i4 = (a4), p17 = XOR(i4, i3),               \
                p8 = XOR(i4, i5), t7 = AND(p13, p17), t8 = AND(i6, i4), t9 = XOR(t8, t7), t19 = XOR(t9, t14),          \
                p21 = XOR(p13, p17), t23 = XOR(t19, p21), t10 = AND(i3, i2), t11 = XOR(t7, t10), t20 = XOR(t16, t11),  \
                p18 = XOR(i2, i3), t24 = XOR(t20, p18), p19 = XOR(p10, p8), p20 = XOR(p14, p13), p16 = XOR(i0, i2),    \
                t2 = AND(p19, p20), t5 = AND(p16, p10), t6 = XOR(t2, t5), t18 = XOR(t16, t6), p15 = XOR(i5, i7),       \
                t22 = XOR(t18, p15), p11 = XOR(i7, i6), t3 = AND(p8, p11), t4 = XOR(t2, t3), t17 = XOR(t4, t14),       \
                p9 = XOR(i0, i1), t21 = XOR(t17, p9), t26 = AND(t21, t23), t27 = XOR(t26, t24), t25 = XOR(t21, t22),   \
                t28 = AND(t27, t25), t29 = XOR(t22, t28), t31 = XOR(t22, t26), t30 = XOR(t24, t23),                    \
                t32 = AND(t31, t30), t33 = XOR(t32, t24), t35 = XOR(t27, t33), t36 = AND(t24, t35),                    \
                t42 = XOR(t29, t33), t38 = XOR(t36, t27), t39 = AND(t29, t38), t40 = XOR(t39, t25), z6 = AND(t42, i0), \
                t34 = XOR(t33, t23), t37 = XOR(t36, t34), t44 = XOR(t37, t33), z0 = AND(p20, t44), z2 = AND(t33, p16), \
                q19 = XOR(z0, z2), t43 = XOR(t29, t40), z3 = AND(t43, p13), z5 = AND(t29, i2), q24 = XOR(z3, z5),      \
                q27 = XOR(q19, q24);                                                                                   \
        (r1) = q27;                                                                                                    \
        const T z1 = AND(p11, t37), q18 = XOR(z1, z0), t41 = XOR(t37, t40), t45 = XOR(t42, t41), z15 = AND(i1, t42),   \
                z8 = AND(t41, i7), q21 = XOR(z8, z6), q25 = XOR(q19, q21);                                             \
        (r3) = q25;                                                                                                    \
        const T z7 = AND(p14, t45), q20 = XOR(z6, z7), q22 = XOR(q18, q20);                                            \
        (r2) = q22;                                                                                                    \
        const T z16 = AND(t45, p12), z4 = AND(t40, i6), q23 = XOR(z3, z4), q26 = XOR(q18, q23);                        \
        (r0) = q26;                                                                                                    \
        const T z17 = AND(t41, i5), z9 = AND(p19, t44), q29 = XOR(z15, z9), z11 = AND(p10, t33), q34 = XOR(z11, z17),  \
                q37 = XOR(q29, q34);                                                                                   \
        (r4) = q37;                                                                                                    \
        const T z12 = AND(t43, p17), q28 = XOR(z12, z15), z14 = AND(i3, t29), q35 = XOR(z14, z17),                     \
                q36 = XOR(q28, q35);                                                                                   \
        (r5) = q36;                                                                                                    \
        const T z13 = AND(i4, t40), q31 = XOR(z13, z16), q33 = XOR(q28, q31);                                          \
        (r7) = q33;                                                                                                    \
        const T z10 = AND(p8, t37), q30 = XOR(z10, z16), q32 = XOR(q30, q29);                                          \
        (r6) = q32;                                                                                                    \
    } while (0)

#endif
