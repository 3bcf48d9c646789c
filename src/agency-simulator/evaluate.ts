import { checkBreakdown } from './checks/breakdown.ts';
import { checkChain, checkFingerprint, checkTimestamp } from './checks/chain.ts';
import { type Check, type CheckContext, type Finding, finding, isAdmissible } from './checks/finding.ts';
import {
  checkAltaHistory,
  checkAmendmentFlags,
  checkCancellationFlags,
  checkCancellationHistory,
  checkPermission,
} from './checks/history.ts';
import { checkAltaFields, checkInvoiceId, checkMacrodato, checkOperationDate } from './checks/identity.ts';
import { checkGenerator, checkRecipients, checkThirdParty } from './checks/parties.ts';
import { checkRectification } from './checks/rectification.ts';
import { checkSoftware } from './checks/software.ts';
import { checkTotals } from './checks/totals.ts';
import type { RecordState } from './store.ts';
import type { Submitted } from './submitted.ts';
import { textAt } from './xml.ts';

/** The answer to one record: refused by the first fault that refuses, else flagged by the first that flags. */
export type Evaluation = { readonly state: RecordState; readonly finding: Finding | null };

const ALTA: readonly Check[] = [
  checkInvoiceId,
  checkAmendmentFlags,
  checkAltaFields,
  checkRectification,
  checkOperationDate,
  checkMacrodato,
  checkThirdParty,
  checkRecipients,
  checkBreakdown,
  checkTotals,
  checkSoftware,
  checkChain,
  checkTimestamp,
  checkFingerprint,
  checkPermission,
  checkAltaHistory,
  checkTriggers,
];

const ANULACION: readonly Check[] = [
  checkInvoiceId,
  checkCancellationFlags,
  checkGenerator,
  checkSoftware,
  checkChain,
  checkTimestamp,
  checkFingerprint,
  checkPermission,
  checkCancellationHistory,
];

/**
 * Which of several errors that leave a record accepted is answered: in the order of the list in the validations, 4.3.1,
 * at whose end are those that need no amendment. The list does not name those of the previous record's fingerprint;
 * 2008 never comes without 2000, so it goes before it.
 */
const ADMISSIBLE = [2001, 2008, 2000, 2005, 2006, 2007, 2002, 2003, 2009, 2004];

/** Judges one record as the agency does: one code per record, in the order in which the checks stand above. */
export function evaluate(record: Submitted, context: CheckContext): Evaluation {
  const flags: Finding[] = [];
  for (const check of record.kind === 'alta' ? ALTA : ANULACION) {
    for (const found of check(record, context)) {
      if (!isAdmissible(found)) return { state: 'Incorrecto', finding: found };
      flags.push(found);
    }
  }
  const rank = ({ code }: Finding): number => ADMISSIBLE.indexOf(code);
  const [flagged = null] = flags.sort((one, other) => rank(one) - rank(other));
  return { state: flagged === null ? 'Correcto' : 'AceptadoConErrores', finding: flagged };
}

/**
 * Outcomes on demand: a description holding SIMULATE-REJECT is refused, one holding SIMULATE-FLAG is accepted with
 * errors. With -ONCE behind the word, an amendment of the record passes, so that the way out can be shown too.
 */
function* checkTriggers({ element }: Submitted): Generator<Finding> {
  const description = textAt(element, 'DescripcionOperacion') ?? '';
  const amends = textAt(element, 'Subsanacion') === 'S';
  const [, word, once] = /SIMULATE-(REJECT|FLAG)(-ONCE)?/.exec(description) ?? [];
  if (word === undefined || (once !== undefined && amends)) return;
  yield finding(word === 'REJECT' ? 1110 : 2001);
}
