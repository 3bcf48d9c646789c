import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { encryptionKeys } from '../../../ground/lib/encryption.ts';
import type { PresentedCertificate } from '../../../subjects/certificates/client-pool.ts';
import { readConfigured } from '../../../subjects/certificates/configured.ts';
import { ALARM_DAYS } from '../../../subjects/certificates/expiry.ts';
import { daysUntil, openActive } from '../../../subjects/certificates/in-use.ts';
import { Vault } from '../../../subjects/certificates/vault.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

/** A certificate with which the agency may be tried; null when there is nothing to present. */
export type Candidate = {
  readonly label: string;
  readonly presented: PresentedCertificate | null;
  readonly finding: Finding;
};

/** Every certificate in use: whether it can be read, is in force, whose it is and how long it lasts. */
export async function certificates(config: Config, db: Db | null): Promise<Candidate[]> {
  const candidates = [...configured(config), ...(db === null ? [] : await stored(config, db))];
  if (candidates.length > 0) return candidates;
  const none =
    config.agency.endpoint === 'simulator'
      ? ok('certificates', 'none uploaded; the simulator is used with its own')
      : failure(
          'certificates',
          'none: nothing can be registered',
          'npm run cli -- certificates upload, or set AGENCY_CERTIFICATE_FILE',
        );
  return [{ label: 'none', presented: null, finding: none }];
}

type Facts = {
  readonly holderNif: string | null;
  readonly holderName: string;
  readonly kind: string;
  readonly validFrom: Date;
  readonly validTo: Date;
};

function configured({ agency }: Config): Candidate[] {
  const label = 'AGENCY_CERTIFICATE_FILE';
  const read = readConfigured(agency);
  if (read === null) return [];
  const check = `certificate ${label}`;
  if (isRefusal(read)) {
    const finding = failure(check, read.detail, 'set the file and its passphrase again');
    return [{ label, presented: null, finding }];
  }
  const own = judge(check, read);
  const finding =
    own.result === 'ok' && read.holderNif !== agency.collaboratorNif
      ? warning(
          check,
          `${own.summary}; it is used for every company, but its holder is not ${agency.collaboratorNif}`,
          'set COLLABORATOR_NIF, or upload it for its company',
        )
      : own;
  return [{ label, presented: read, finding }];
}

async function stored(config: Config, db: Db): Promise<Candidate[]> {
  const vault = new Vault(encryptionKeys(config.certificateKeys));
  return (await openActive({ db, vault })).map(({ certificate, identity }) => {
    const { id, companyId, kind } = certificate;
    const label = `${id} (${companyId ?? 'platform'})`;
    const check = `certificate ${label}`;
    if (typeof identity === 'string') {
      const finding = failure(
        check,
        `cannot be decrypted: ${identity}`,
        'set CERTIFICATE_KEYS, or upload it again',
      );
      return {
        label,
        presented: null,
        finding: { ...finding, grouping: { cause: 'cannot be decrypted', subject: label } },
      };
    }
    const finding = judge(check, certificate);
    return {
      label,
      presented: { kind, identity },
      finding: { ...finding, grouping: { cause: stateOf(certificate), subject: label } },
    };
  });
}

/** What certificates of many companies may have in common. */
function stateOf({ holderNif, validFrom, validTo }: Facts): string {
  if (holderNif === null) return 'have a holder whom the agency cannot determine';
  if (validFrom > clock.now()) return 'are not valid yet';
  const daysLeft = daysUntil(validTo);
  if (daysLeft < 0) return 'have expired';
  return daysLeft < ALARM_DAYS ? `expire within ${ALARM_DAYS} days` : 'are in force';
}

function judge(check: string, { holderNif, holderName, kind, validFrom, validTo }: Facts): Finding {
  const remediation = 'upload its successor: npm run cli -- certificates upload';
  const daysLeft = daysUntil(validTo);
  const summary = `${kind} of ${holderName}, ${holderNif ?? 'without a NIF'}, ${daysLeft} days left`;
  if (holderNif === null)
    return failure(check, `${summary}: the agency cannot determine its holder`, remediation);
  if (validFrom > clock.now())
    return failure(check, `${summary}, not valid before ${validFrom.toISOString()}`, remediation);
  if (daysLeft < 0) return failure(check, `${summary}: it has expired`, remediation);
  return daysLeft < ALARM_DAYS ? warning(check, summary, remediation) : ok(check, summary);
}
