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
 * S-box's own. tests/test_circuits.c recomputes all 256 values of each from the field.
 */
#ifndef CDZ_SBOX_CIRCUITS_H
#define CDZ_SBOX_CIRCUITS_H

/* S1 */
#define CDZ_S1(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i0 = (a0), i1 = (a1), i2 = (a2), i3 = (a3), i4 = (a4), i5 = (a5), i6 = (a6), i7 = (a7);                \
        const T p8 = XOR(i4, i6), p9 = XOR(i3, i5), p10 = XOR(i1, i2), p11 = XOR(i7, p10), p12 = XOR(i0, p10),         \
                p13 = XOR(i0, p11), p14 = XOR(i4, p13), p15 = XOR(p9, p14), p16 = XOR(p12, p15), p17 = XOR(p8, p15),   \
                p18 = XOR(i3, p16), p19 = XOR(p11, p17), p20 = XOR(p11, p16), p21 = XOR(p8, p20), p22 = XOR(i5, p13),  \
                p23 = XOR(i1, p16), p24 = XOR(p8, p23), p25 = XOR(p14, p24), p26 = XOR(p18, p25), p27 = XOR(i7, p26),  \
                p28 = XOR(p19, p26), p29 = XOR(i4, p12), t2 = AND(p20, p22), t3 = AND(p11, p18), t4 = XOR(t3, t2),     \
                t5 = AND(p16, p29), t6 = XOR(t5, t2), t7 = AND(p8, p24), t8 = AND(p17, p25), t9 = XOR(t8, t7),         \
                t10 = AND(p15, p14), t11 = XOR(t10, t7), t12 = AND(p12, i7), t13 = AND(p21, p27), t14 = XOR(t13, t12), \
                t15 = AND(p19, p26), t16 = XOR(t15, t12), t17 = XOR(t4, t14), t18 = XOR(t6, t16), t19 = XOR(t9, t14),  \
                t20 = XOR(t11, t16), t21 = XOR(t17, p13), t22 = XOR(t18, p28), t23 = XOR(t19, p23),                    \
                t24 = XOR(t20, p9), t25 = XOR(t21, t22), t26 = AND(t21, t23), t27 = XOR(t24, t26),                     \
                t28 = AND(t25, t27), t29 = XOR(t28, t22), t30 = XOR(t23, t24), t31 = XOR(t22, t26),                    \
                t32 = AND(t31, t30), t33 = XOR(t32, t24), t34 = XOR(t23, t33), t35 = XOR(t27, t33),                    \
                t36 = AND(t24, t35), t37 = XOR(t36, t34), t38 = XOR(t27, t36), t39 = AND(t29, t38),                    \
                t40 = XOR(t25, t39), t41 = XOR(t40, t37), t42 = XOR(t29, t33), t43 = XOR(t29, t40),                    \
                t44 = XOR(t33, t37), t45 = XOR(t42, t41), z0 = AND(t44, p22), z1 = AND(t37, p18), z2 = AND(t33, p29),  \
                z3 = AND(t43, p24), z4 = AND(t40, p25), z5 = AND(t29, p14), z6 = AND(t42, i7), z7 = AND(t45, p27),     \
                z8 = AND(t41, p26), z9 = AND(t44, p20), z10 = AND(t37, p11), z11 = AND(t33, p16), z12 = AND(t43, p8),  \
                z13 = AND(t40, p17), z14 = AND(t29, p15), z15 = AND(t42, p12), z16 = AND(t45, p21),                    \
                z17 = AND(t41, p19), q18 = XOR(z3, z6), q19 = XOR(z12, z16), q20 = XOR(z15, q19), q21 = XOR(z13, q20), \
                q22 = XOR(z1, z4), q23 = XOR(z11, z14), q24 = XOR(z8, q18), q25 = XOR(z5, q24), q26 = XOR(z10, q20),   \
                q27 = XOR(q23, q26), q28 = XOR(z2, q22), q29 = XOR(q24, q28), q30 = XOR(q27, q29), q31 = XOR(z4, q18), \
                q32 = XOR(z7, q31), q33 = XOR(q27, q32), q34 = XOR(z0, z3), q35 = XOR(q22, q34), q36 = XOR(q25, q35),  \
                q37 = XOR(q27, q36), q38 = XOR(z12, q30), q39 = XOR(z9, q33), q40 = XOR(q38, q39),                     \
                q41 = XOR(q23, q40), q42 = XOR(z11, z15), q43 = XOR(z17, q35), q44 = XOR(z9, q43),                     \
                q45 = XOR(q42, q44);                                                                                   \
        (r0) = q37;                                                                                                    \
        (r1) = q29;                                                                                                    \
        (r2) = q25;                                                                                                    \
        (r3) = q45;                                                                                                    \
        (r4) = q30;                                                                                                    \
        (r5) = q33;                                                                                                    \
        (r6) = q41;                                                                                                    \
        (r7) = q21;                                                                                                    \
    } while (0)

/* S2 */
#define CDZ_S2(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i0 = (a0), i1 = (a1), i2 = (a2), i3 = (a3), i4 = (a4), i5 = (a5), i6 = (a6), i7 = (a7);                \
        const T p8 = XOR(i4, i5), p9 = XOR(i7, p8), p10 = XOR(i3, p9), p11 = XOR(i0, i7), p12 = XOR(i1, i2),           \
                p13 = XOR(i0, p12), p14 = XOR(i4, p13), p15 = XOR(p9, p14), p16 = XOR(i7, p12), p17 = XOR(p10, p16),   \
                p18 = XOR(i3, p15), p19 = XOR(p15, p17), p20 = XOR(i0, p16), p21 = XOR(i6, p14), p22 = XOR(p11, p21),  \
                p23 = XOR(p10, p22), p24 = XOR(i2, p23), p25 = XOR(p15, p24), p26 = XOR(p8, p24), p27 = XOR(i7, p25),  \
                p28 = XOR(p13, p23), p29 = XOR(p25, p28), t2 = AND(p8, p11), t3 = AND(p26, p22), t4 = XOR(t3, t2),     \
                t5 = AND(p24, p21), t6 = XOR(t5, t2), t7 = AND(i7, p13), t8 = AND(p27, p23), t9 = XOR(t8, t7),         \
                t10 = AND(p25, p28), t11 = XOR(t10, t7), t12 = AND(p15, p17), t13 = AND(p9, p16), t14 = XOR(t13, t12), \
                t15 = AND(p14, p10), t16 = XOR(t15, t12), t17 = XOR(t4, t14), t18 = XOR(t6, t16), t19 = XOR(t9, t14),  \
                t20 = XOR(t11, t16), t21 = XOR(t17, p19), t22 = XOR(t18, p18), t23 = XOR(t19, p20),                    \
                t24 = XOR(t20, p29), t25 = XOR(t21, t22), t26 = AND(t21, t23), t27 = XOR(t24, t26),                    \
                t28 = AND(t25, t27), t29 = XOR(t28, t22), t30 = XOR(t23, t24), t31 = XOR(t22, t26),                    \
                t32 = AND(t31, t30), t33 = XOR(t32, t24), t34 = XOR(t23, t33), t35 = XOR(t27, t33),                    \
                t36 = AND(t24, t35), t37 = XOR(t36, t34), t38 = XOR(t27, t36), t39 = AND(t29, t38),                    \
                t40 = XOR(t25, t39), t41 = XOR(t40, t37), t42 = XOR(t29, t33), t43 = XOR(t29, t40),                    \
                t44 = XOR(t33, t37), t45 = XOR(t42, t41), z0 = AND(t44, p11), z1 = AND(t37, p22), z2 = AND(t33, p21),  \
                z3 = AND(t43, p13), z4 = AND(t40, p23), z5 = AND(t29, p28), z6 = AND(t42, p17), z7 = AND(t45, p16),    \
                z8 = AND(t41, p10), z9 = AND(t44, p8), z10 = AND(t37, p26), z11 = AND(t33, p24), z12 = AND(t43, i7),   \
                z13 = AND(t40, p27), z14 = AND(t29, p25), z15 = AND(t42, p15), z16 = AND(t45, p9),                     \
                z17 = AND(t41, p14), q18 = XOR(z0, z6), q19 = XOR(z10, z11), q20 = XOR(z7, q18), q21 = XOR(z1, q20),   \
                q22 = XOR(z8, z17), q23 = XOR(z13, z14), q24 = XOR(q19, q23), q25 = XOR(q21, q24), q26 = XOR(z9, z11), \
                q27 = XOR(z16, q19), q28 = XOR(z4, z5), q29 = XOR(z15, q26), q30 = XOR(q22, q29), q31 = XOR(z7, q28),  \
                q32 = XOR(q30, q31), q33 = XOR(z2, q18), q34 = XOR(q31, q33), q35 = XOR(q22, q27),                     \
                q36 = XOR(q33, q35), q37 = XOR(z8, q21), q38 = XOR(q35, q37), q39 = XOR(q25, q26),                     \
                q40 = XOR(z12, q39), q41 = XOR(z14, q40), q42 = XOR(z5, z6), q43 = XOR(z3, q30), q44 = XOR(q42, q43);  \
        (r0) = q38;                                                                                                    \
        (r1) = q34;                                                                                                    \
        (r2) = q36;                                                                                                    \
        (r3) = q41;                                                                                                    \
        (r4) = q24;                                                                                                    \
        (r5) = q44;                                                                                                    \
        (r6) = q25;                                                                                                    \
        (r7) = q32;                                                                                                    \
    } while (0)

/* X1 */
#define CDZ_X1(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i0 = (a0), i1 = (a1), i2 = (a2), i3 = (a3), i4 = (a4), i5 = (a5), i6 = (a6), i7 = (a7);                \
        const T p8 = XOR(i3, i4), p9 = XOR(i3, i7), p10 = XOR(i4, i7), p11 = XOR(i6, p10), p12 = XOR(i3, p11),         \
                p13 = XOR(i0, i1), p14 = XOR(i2, p13), p15 = XOR(p11, p14), p16 = XOR(i4, p11), p17 = XOR(p13, p16),   \
                p18 = XOR(p10, p17), p19 = XOR(i5, p15), p20 = XOR(p18, p19), p21 = XOR(p11, p20), p22 = XOR(i0, i3),  \
                p23 = XOR(p16, p22), p24 = XOR(p15, p23), p25 = XOR(p20, p24), p26 = XOR(p14, p25),                    \
                p27 = XOR(p12, p24), p28 = XOR(p9, p13), t2 = AND(p26, p13), t3 = AND(p14, p9), t4 = XOR(t3, t2),      \
                t5 = AND(p25, p28), t6 = XOR(t5, t2), t7 = AND(p23, p16), t8 = AND(p15, p8), t9 = XOR(t8, t7),         \
                t10 = AND(p24, p12), t11 = XOR(t10, t7), t12 = AND(p20, p18), t13 = AND(p21, p17),                     \
                t14 = XOR(t13, t12), t15 = AND(p11, p10), t16 = XOR(t15, t12), t17 = XOR(t4, t14), t18 = XOR(t6, t16), \
                t19 = XOR(t9, t14), t20 = XOR(t11, t16), t21 = XOR(t17, p19), t22 = XOR(t18, i6), t23 = XOR(t19, p22), \
                t24 = XOR(t20, p27), t25 = XOR(t21, t22), t26 = AND(t21, t23), t27 = XOR(t24, t26),                    \
                t28 = AND(t25, t27), t29 = XOR(t28, t22), t30 = XOR(t23, t24), t31 = XOR(t22, t26),                    \
                t32 = AND(t31, t30), t33 = XOR(t32, t24), t34 = XOR(t23, t33), t35 = XOR(t27, t33),                    \
                t36 = AND(t24, t35), t37 = XOR(t36, t34), t38 = XOR(t27, t36), t39 = AND(t29, t38),                    \
                t40 = XOR(t25, t39), t41 = XOR(t40, t37), t42 = XOR(t29, t33), t43 = XOR(t29, t40),                    \
                t44 = XOR(t33, t37), t45 = XOR(t42, t41), z0 = AND(t44, p13), z1 = AND(t37, p9), z2 = AND(t33, p28),   \
                z3 = AND(t43, p16), z4 = AND(t40, p8), z5 = AND(t29, p12), z6 = AND(t42, p18), z7 = AND(t45, p17),     \
                z8 = AND(t41, p10), z9 = AND(t44, p26), z10 = AND(t37, p14), z11 = AND(t33, p25), z12 = AND(t43, p23), \
                z13 = AND(t40, p15), z14 = AND(t29, p24), z15 = AND(t42, p20), z16 = AND(t45, p21),                    \
                z17 = AND(t41, p11), q18 = XOR(z0, z5), q19 = XOR(z14, q18), q20 = XOR(z3, q19), q21 = XOR(z2, q20),   \
                q22 = XOR(z13, q21), q23 = XOR(z16, q22), q24 = XOR(z7, z17), q25 = XOR(z9, z11), q26 = XOR(z10, q22), \
                q27 = XOR(z11, q26), q28 = XOR(z15, q25), q29 = XOR(q23, q28), q30 = XOR(z4, z6), q31 = XOR(q23, q24), \
                q32 = XOR(z1, z8), q33 = XOR(z12, q25), q34 = XOR(q21, q33), q35 = XOR(z3, q30), q36 = XOR(q31, q35),  \
                q37 = XOR(q27, q28), q38 = XOR(z17, q37), q39 = XOR(q31, q32), q40 = XOR(z2, q39),                     \
                q41 = XOR(q30, q32), q42 = XOR(q18, q41), q43 = XOR(z14, q31), q44 = XOR(q33, q43),                    \
                q45 = XOR(q29, q44), q46 = XOR(z4, z5), q47 = XOR(z8, q46), q48 = XOR(q45, q47);                       \
        (r0) = q42;                                                                                                    \
        (r1) = q34;                                                                                                    \
        (r2) = q29;                                                                                                    \
        (r3) = q48;                                                                                                    \
        (r4) = q38;                                                                                                    \
        (r5) = q40;                                                                                                    \
        (r6) = q36;                                                                                                    \
        (r7) = q27;                                                                                                    \
    } while (0)

/* X2 */
#define CDZ_X2(T, XOR, AND, a0, a1, a2, a3, a4, a5, a6, a7, r0, r1, r2, r3, r4, r5, r6, r7)                            \
    do {                                                                                                               \
        const T i0 = (a0), i1 = (a1), i2 = (a2), i3 = (a3), i4 = (a4), i5 = (a5), i6 = (a6), i7 = (a7);                \
        const T p8 = XOR(i3, i5), p9 = XOR(i2, p8), p10 = XOR(i1, i4), p11 = XOR(i5, p10), p12 = XOR(i0, p11),         \
                p13 = XOR(p8, p12), p14 = XOR(i0, i4), p15 = XOR(i6, i7), p16 = XOR(p10, p15), p17 = XOR(i0, p16),     \
                p18 = XOR(i4, p17), p19 = XOR(p8, p17), p20 = XOR(p11, p19), p21 = XOR(i7, p20), p22 = XOR(p18, p21),  \
                p23 = XOR(p10, p22), p24 = XOR(p9, p23), p25 = XOR(p21, p24), p26 = XOR(p19, p24), p27 = XOR(p9, p20), \
                p28 = XOR(i0, p22), p29 = XOR(p9, p18), t2 = AND(p12, p10), t3 = AND(p8, p25), t4 = XOR(t3, t2),       \
                t5 = AND(p13, p29), t6 = XOR(t5, t2), t7 = AND(i0, p22), t8 = AND(p17, p21), t9 = XOR(t8, t7),         \
                t10 = AND(p16, p18), t11 = XOR(t10, t7), t12 = AND(p20, p9), t13 = AND(p11, p23), t14 = XOR(t13, t12), \
                t15 = AND(p19, p24), t16 = XOR(t15, t12), t17 = XOR(t4, t14), t18 = XOR(t6, t16), t19 = XOR(t9, t14),  \
                t20 = XOR(t11, t16), t21 = XOR(t17, p27), t22 = XOR(t18, p26), t23 = XOR(t19, p28),                    \
                t24 = XOR(t20, p14), t25 = XOR(t21, t22), t26 = AND(t21, t23), t27 = XOR(t24, t26),                    \
                t28 = AND(t25, t27), t29 = XOR(t28, t22), t30 = XOR(t23, t24), t31 = XOR(t22, t26),                    \
                t32 = AND(t31, t30), t33 = XOR(t32, t24), t34 = XOR(t23, t33), t35 = XOR(t27, t33),                    \
                t36 = AND(t24, t35), t37 = XOR(t36, t34), t38 = XOR(t27, t36), t39 = AND(t29, t38),                    \
                t40 = XOR(t25, t39), t41 = XOR(t40, t37), t42 = XOR(t29, t33), t43 = XOR(t29, t40),                    \
                t44 = XOR(t33, t37), t45 = XOR(t42, t41), z0 = AND(t44, p10), z1 = AND(t37, p25), z2 = AND(t33, p29),  \
                z3 = AND(t43, p22), z4 = AND(t40, p21), z5 = AND(t29, p18), z6 = AND(t42, p9), z7 = AND(t45, p23),     \
                z8 = AND(t41, p24), z9 = AND(t44, p12), z10 = AND(t37, p8), z11 = AND(t33, p13), z12 = AND(t43, i0),   \
                z13 = AND(t40, p17), z14 = AND(t29, p16), z15 = AND(t42, p20), z16 = AND(t45, p11),                    \
                z17 = AND(t41, p19), q18 = XOR(z1, z2), q19 = XOR(z10, z16), q20 = XOR(z4, q18), q21 = XOR(z5, q20),   \
                q22 = XOR(z13, z14), q23 = XOR(z15, q19), q24 = XOR(z9, q23), q25 = XOR(q21, q22),                     \
                q26 = XOR(z16, z17), q27 = XOR(q25, q26), q28 = XOR(z10, z11), q29 = XOR(q25, q28), q30 = XOR(z6, z8), \
                q31 = XOR(z0, q27), q32 = XOR(z2, q31), q33 = XOR(z7, q18), q34 = XOR(q30, q32), q35 = XOR(q21, q34),  \
                q36 = XOR(z8, q33), q37 = XOR(q29, q34), q38 = XOR(q36, q37), q39 = XOR(z5, q24), q40 = XOR(z3, q30),  \
                q41 = XOR(q39, q40), q42 = XOR(z14, q36), q43 = XOR(z11, q23), q44 = XOR(z12, q43),                    \
                q45 = XOR(q42, q44);                                                                                   \
        (r0) = q27;                                                                                                    \
        (r1) = q45;                                                                                                    \
        (r2) = q21;                                                                                                    \
        (r3) = q24;                                                                                                    \
        (r4) = q41;                                                                                                    \
        (r5) = q29;                                                                                                    \
        (r6) = q35;                                                                                                    \
        (r7) = q38;                                                                                                    \
    } while (0)

#endif
