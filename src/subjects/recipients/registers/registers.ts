import { LRUCache } from 'lru-cache';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import type { Logger } from '../../../ground/lib/logger.ts';
import { needsCountry, readTaxId, type TaxIdReading } from '../../tax-ids/tax-id.ts';
import type { TaxIdType } from '../../tax-ids/types.ts';
import {
  contradictedCountry,
  fiscalName,
  isAcceptedTaxIdCountry,
  mismatch,
  type Recipient,
  unknownCountry,
} from '../recipient.ts';
import type { CensusClients } from './census.ts';
import { pacedByEnvironment } from './pace.ts';
import type { MayAsk, RegisterAnswer, RegisterEvidence, RegisterQueryResult } from './query-result.ts';
import { openVies } from './vies.ts';

export type { RegisterEvidence };

type Register = RegisterEvidence['register'];

/** A tax id to validate, as sent by the caller (docs/contract.md#tax-ids). */
export type TaxIdQuestion = {
  readonly taxId: string;
  readonly taxIdType?: TaxIdType | null | undefined;
  readonly taxIdCountry?: string | null | undefined;
  readonly name?: string | null | undefined;
};

/** The result. `register` is the one that was queried, null when the format alone decided. */
export type TaxIdAnswer = {
  readonly taxId: string;
  readonly taxIdType: TaxIdType | null;
  readonly taxIdCountry: string | null;
  readonly valid: boolean;
  readonly reason: 'format' | 'not_registered' | 'name_mismatch' | null;
  readonly register: Register | null;
  /** The name under which the census knows the NIF, when a similar one was sent; else null. */
  readonly registeredName: string | null;
};

/**
 * The registers of recipients. Queried before any lock is taken, and only for ids that pass the local rules; the
 * census with the certificate of the requesting environment.
 */
export type Registers = {
  /**
   * Identifies the recipient of a complete invoice: a Spanish NIF by the census with its fiscal name, an EU VAT
   * number by VIES; other kinds have no register and return null at once. Refuses with `invalid_tax_id`, or with
   * `tax_id_validation_unavailable` when the register does not answer. `mayAsk` is asked before the register is, and
   * its refusal returned; issuing never names one.
   */
  identify(
    recipient: Recipient,
    environmentId: number,
    mayAsk?: MayAsk,
  ): Promise<Outcome<RegisterEvidence | null>>;
  /**
   * Whether a tax id is valid. The census is queried for a NIF only with a name, which it requires. Refuses with
   * `invalid_request` (`taxIdCountry` missing where the type requires one), `insufficient_recipient_data` (a country that the
   * agency does not know), `tax_id_type_country_mismatch` and `tax_id_validation_unavailable`.
   */
  validateTaxId(question: TaxIdQuestion, environmentId: number): Promise<Outcome<TaxIdAnswer>>;
  /** Closes the connections. */
  close(): void;
};

/** The registers that use these clients. */
export function createRegisters(access: {
  readonly census: CensusClients;
  readonly vies: { readonly url: string };
  readonly log: Logger;
}): Registers {
  const { census } = access;
  const vies = openVies(access.vies.url);
  const ofCensus = new RegisterQueries();
  const ofVies = new RegisterQueries();
  const noted = (register: Register, query: Promise<RegisterQueryResult>) =>
    note(access.log, register, query);
  const paced = pacedByEnvironment();
  const queryCensus = async (
    environmentId: number,
    nif: string,
    name: string,
  ): Promise<RegisterQueryResult> => {
    const client = await census.clientFor(environmentId);
    return typeof client === 'string' ? { kind: 'unavailable', reason: client } : client.lookUp(nif, name);
  };
  const ask: Ask = {
    // The census's answer does not depend on the caller, so callers share it.
    census(nif, name, environmentId, mayAsk) {
      const query = () => noted('aeat_census', queryCensus(environmentId, nif, name));
      return ofCensus.run(`${nif}\u0000${name}`, () => paced(environmentId, query), mayAsk);
    },
    vies(vatId, environmentId, mayAsk) {
      const query = () => noted('vies', vies.lookUp(vatId));
      return ofVies.run(vatId, () => paced(environmentId, query), mayAsk);
    },
  };
  return {
    async identify(recipient, environmentId, mayAsk) {
      const { taxId, taxIdType } = recipient;
      if (taxId === null || (taxIdType !== 'es_nif' && taxIdType !== 'eu_vat')) return null;
      const result = await (taxIdType === 'es_nif'
        ? ask.census(taxId, fiscalName(recipient) ?? '', environmentId, mayAsk)
        : ask.vies(taxId, environmentId, mayAsk));
      return isRefusal(result) ? result : evidenceOf(result, taxId, taxIdType);
    },
    validateTaxId: (question, environmentId) => validateTaxId(ask, question, environmentId),
    close() {
      census.close();
      vies.close();
    },
  };
}

/** Questions to the registers, each sent once for all that ask it in the same while. */
type Ask = {
  readonly census: (
    nif: string,
    name: string,
    environmentId: number,
    mayAsk?: MayAsk,
  ) => RegisterAnswer | Promise<RegisterAnswer>;
  readonly vies: (
    vatId: string,
    environmentId: number,
    mayAsk?: MayAsk,
  ) => RegisterAnswer | Promise<RegisterAnswer>;
};

/** Logs unavailable registers, and invoices to deregistered recipients, for operators; never whom it was about. */
async function note(
  log: Logger,
  register: Register,
  query: Promise<RegisterQueryResult>,
): Promise<RegisterQueryResult> {
  const result = await query;
  if (result.kind === 'unavailable') {
    const reason = codeWithoutData(result.reason);
    if (result.certificateRefused)
      log.error({ register, reason }, 'THE AGENCY REFUSES THE CLIENT CERTIFICATE: upload another');
    else log.warn({ register, reason }, 'a register does not answer');
  } else if (result.kind === 'known' && result.evidence.result === 'IDENTIFICADO-BAJA') {
    log.info({ register }, 'a recipient is deregistered');
  }
  return result;
}

/** Texts of faults and unknown results are the register's own, and may name the person. */
function codeWithoutData(code: string): string {
  return code.replace(/^(fault|result)\b.*$/s, '$1');
}

/** What the register knows of the recipient, or why it is refused. */
function evidenceOf(
  result: RegisterQueryResult,
  taxId: string,
  taxIdType: 'es_nif' | 'eu_vat',
): Outcome<RegisterEvidence> {
  switch (result.kind) {
    case 'known':
      return result.evidence;
    case 'unknown':
      return new Refusal(
        'invalid_tax_id',
        `The recipient's tax id ${taxId} is not accepted: ${result.detail}.`,
      );
    case 'unavailable':
      return unavailable(taxIdType, result);
  }
}

function unavailable(
  type: 'es_nif' | 'eu_vat',
  { certificateRefused = false }: { readonly certificateRefused?: boolean },
): Refusal {
  if (certificateRefused) {
    return new Refusal(
      'tax_id_validation_unavailable',
      'The tax agency does not accept the client certificate that its census is asked with. Nothing was stored; whoever runs the service must replace it.',
    );
  }
  const register = type === 'es_nif' ? 'The tax agency’s census' : 'The EU VAT register (VIES)';
  return new Refusal(
    'tax_id_validation_unavailable',
    `${register} does not answer. Nothing was stored; retry later.`,
  );
}

async function validateTaxId(
  ask: Ask,
  question: TaxIdQuestion,
  environmentId: number,
): Promise<Outcome<TaxIdAnswer>> {
  const taxIdType = question.taxIdType ?? null;
  const taxIdCountry = question.taxIdCountry?.trim().toUpperCase() || null;
  if (taxIdCountry === null && taxIdType !== null && needsCountry(taxIdType)) {
    return invalidField('taxIdCountry', 'required', 'is required');
  }
  const reading = readTaxId({ taxId: question.taxId, taxIdType, taxIdCountry, addressCountry: null });
  const countryFault = faultyCountry(reading, taxIdType, taxIdCountry);
  if (countryFault !== null) return countryFault;
  if (reading.kind !== 'identity') {
    const country = taxIdCountry ?? (taxIdType === 'es_nif' || taxIdType === 'not_registered' ? 'ES' : null);
    return {
      taxId: reading.taxId,
      taxIdType,
      taxIdCountry: country,
      valid: false,
      reason: 'format',
      register: null,
      registeredName: null,
    };
  }
  const { identity } = reading;
  const name = question.name?.trim() || null;
  if (identity.taxIdType === 'es_nif' && name !== null) {
    return judged(identity, 'aeat_census', await ask.census(identity.taxId, name, environmentId));
  }
  if (identity.taxIdType === 'eu_vat')
    return judged(identity, 'vies', await ask.vies(identity.taxId, environmentId));
  return { ...identity, valid: true, reason: null, register: null, registeredName: null };
}

function faultyCountry(
  reading: TaxIdReading,
  sentType: TaxIdType | null,
  country: string | null,
): Refusal | null {
  const type = reading.kind === 'identity' ? reading.identity.taxIdType : (sentType ?? 'eu_vat');
  if (country !== null && !isAcceptedTaxIdCountry(country, type)) {
    const detail = `The tax id cannot be checked: ${unknownCountry(country)}.`;
    return new Refusal('insufficient_recipient_data', detail).about('taxIdCountry');
  }
  const contradicted = contradictedCountry(sentType, country);
  if (contradicted !== null) return contradicted;
  if (reading.kind !== 'identity' || reading.countryAgrees) return null;
  return new Refusal('tax_id_type_country_mismatch', mismatch(reading.identity, country));
}

function judged(
  identity: Pick<TaxIdAnswer, 'taxId' | 'taxIdType' | 'taxIdCountry'>,
  register: Register,
  result: RegisterAnswer,
): Outcome<TaxIdAnswer> {
  if (isRefusal(result)) return result;
  switch (result.kind) {
    case 'known':
      return { ...identity, valid: true, reason: null, register, registeredName: null };
    case 'unknown':
      return {
        ...identity,
        valid: false,
        reason: result.reason,
        register,
        registeredName: result.registeredName,
      };
    case 'unavailable':
      return unavailable(register === 'vies' ? 'eu_vat' : 'es_nif', result);
  }
}

/** Enough for the customers that a process invoices within that time; an entry has some hundred bytes. */
const MAX_CACHED = 10_000;
/**
 * Registers change daily at most, so ten more minutes add little; and a merchant who issues several invoices to one
 * customer causes one query.
 */
const KNOWN_MS = 10 * 60_000;
/** A program that repeats a refused invoice asks once a minute; somebody registered meanwhile waits no longer than that. */
const UNKNOWN_MS = 60_000;

/**
 * Queries of one register: identical concurrent ones are sent once, and answers are cached for some time.
 */
export class RegisterQueries {
  readonly #answers = new LRUCache<string, RegisterQueryResult>({
    max: MAX_CACHED,
    ttl: KNOWN_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  readonly #underWay = new Map<string, Promise<RegisterQueryResult>>();

  /**
   * The cached result, or that of a running query with the same key, or the result of `query`. `mayAsk` is asked before
   * a query is sent, and its refusal returned instead.
   */
  run(
    key: string,
    query: () => Promise<RegisterQueryResult>,
    mayAsk?: MayAsk,
  ): RegisterAnswer | Promise<RegisterAnswer> {
    const found = this.#answers.get(key) ?? this.#underWay.get(key);
    if (found !== undefined) return found;
    if (mayAsk !== undefined) return mayAsk().then((refusal) => refusal ?? this.run(key, query));
    const pending = this.#query(key, query).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, pending);
    return pending;
  }

  async #query(key: string, query: () => Promise<RegisterQueryResult>): Promise<RegisterQueryResult> {
    const result = await query();
    if (result.kind === 'known') this.#answers.set(key, result);
    if (result.kind === 'unknown') this.#answers.set(key, result, { ttl: UNKNOWN_MS });
    return result;
  }
}
