/** An office of a public body in DIR3, the common directory of its offices, with what it does for the invoice (RoleTypeCode). */
export type AdministrativeCentre = { readonly code: string; readonly role: '01' | '02' | '03' | '04' };

/** The offices in the order in which they are named: accounting office, managing body, processing unit, proposing body. */
const ROLES = ['01', '02', '03', '04'] as const;

/** As the directory writes them: nine characters, one or two letters first. */
const CODE = /^[A-Z]{1,2}\d{7,8}$/;

/**
 * The DIR3 offices in a buyer's reference: three codes, or four, in the order of `ROLES`, between blanks, commas, semicolons, slashes or
 * bars. Null for a reference of any other kind.
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
