/**
 * An office of a public body in DIR3, the directory of public offices, with its role for the invoice
 * (RoleTypeCode).
 */
export type AdministrativeCentre = { readonly code: string; readonly role: '01' | '02' | '03' | '04' };

/** The offices in the order in which they are named: accounting office, managing body, processing unit, proposing body. */
const ROLES = ['01', '02', '03', '04'] as const;

/** The format of the directory: nine characters, the first one or two are letters. */
const CODE = /^[A-Z]{1,2}\d{7,8}$/;

/**
 * The DIR3 offices in a buyer's reference: three or four codes, in the order of `ROLES`, separated by spaces,
 * commas, semicolons, slashes or bars. Null for any other reference.
 */
export function centresOf(buyerReference: string | null): AdministrativeCentre[] | null {
  const codes = (buyerReference ?? '')
    .toUpperCase()
    .split(/[\s,;/|]+/)
    .filter((code) => code !== '');
  if (codes.length < 3 || codes.length > ROLES.length) return null;
  if (!codes.every((code) => code.length === 9 && CODE.test(code))) return null;
  return codes.map((code, index) => ({ code, role: ROLES[index]! }));
}
