import type { Queryable } from '../../ground/db/queryable.ts';
import type { InvoiceRequest } from '../issuing/request.ts';
import type { TaxCatalog } from '../taxes/catalog.ts';
import { classifiedAs, saidOf, saysTheSame } from '../taxes/classification.ts';
import type { LineInput } from '../taxes/line-tax.ts';
import type { Said, TaxType } from '../taxes/types.ts';
import { type Family, inForce } from './family.ts';
import type { SeveralOf } from './store/read-families.ts';
import { loadLines } from './store.ts';

type Lines = InvoiceRequest['lineItems'];
/** What lines are priced by, which may say what the request does not. */
type ClassifiedLines = readonly LineInput[];

/**
 * The lines of a correction, classified like what they correct: one that says nothing of its classification takes what the lines of its type in force
 * say, if all of them say the same; else it is classified by the catalog, like those that say nothing. Reads the lines in force only if some of them were
 * declared otherwise than the catalog would.
 */
async function classifiedLikeCorrected(
  client: Queryable,
  lines: Lines,
  catalog: TaxCatalog,
  linked: { readonly environmentId: number; readonly family: Family } | null,
): Promise<ClassifiedLines> {
  const open = new Set(lines.map(typeToClassify).filter((type) => type !== null));
  if (linked === null || ![...open].some((type) => differs(type, linked.family, catalog))) return lines;
  const ids = inForce(linked.family).map(({ id }) => id);
  const said = saidByType(await loadLines(client, linked.environmentId, ids));
  return lines.map((line) => {
    const type = typeToClassify(line);
    const inherited = type === null ? null : (said.get(type) ?? null);
    return inherited === null ? line : { ...line, taxItems: [{ ...line.taxItems![0]!, ...inherited }] };
  });
}

/** The same where each line corrects the one of several invoices that it names. */
export async function classifiedLines(
  client: Queryable,
  lines: Lines,
  catalog: TaxCatalog,
  linked: {
    readonly environmentId: number;
    readonly family: Family;
    readonly each: readonly SeveralOf[] | null;
  } | null,
): Promise<ClassifiedLines> {
  if (linked === null || linked.each === null) return classifiedLikeCorrected(client, lines, catalog, linked);
  const classified = [...lines] as LineInput[];
  for (const { id, family } of linked.each) {
    const places = lines.flatMap(({ rectifiesInvoiceId }, place) =>
      rectifiesInvoiceId === id ? [place] : [],
    );
    const own = places.map((place) => lines[place]!);
    const found = await classifiedLikeCorrected(client, own, catalog, { ...linked, family });
    for (const [index, line] of found.entries()) classified[places[index]!] = line;
  }
  return classified;
}

/** The type of a line that says nothing of its classification. */
function typeToClassify({ taxItems }: Lines[number]): TaxType | null {
  const [tax, ...others] = taxItems ?? [];
  return tax === undefined || others.length > 0 || saidOf(tax) !== null ? null : tax.type;
}

function differs(type: TaxType, family: Family, catalog: TaxCatalog): boolean {
  const row = catalog.get(type);
  const details = inForce(family).flatMap(({ breakdown }) => breakdown);
  return details.some(
    (detail) => detail.type === type && (row === undefined || classifiedAs(detail) !== classifiedAs(row)),
  );
}

/** What all lines of a type say. */
function saidByType(lines: Awaited<ReturnType<typeof loadLines>>): ReadonlyMap<TaxType, Said | null> {
  const said = new Map<TaxType, Said | null>();
  for (const { taxItems } of lines) {
    const [tax] = taxItems;
    if (tax === undefined) continue;
    const before = said.get(tax.type);
    const agrees = before === undefined || (before !== null && saysTheSame(before, tax));
    said.set(tax.type, agrees ? saidOf(tax) : null);
  }
  return said;
}
