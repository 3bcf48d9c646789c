import type { Db } from '../../../ground/db/client.ts';
import { inTransaction } from '../../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry } from '../../../ground/journal/audit-log.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import type { BrandingRequest } from '../branding-request.ts';
import type { Renderer } from '../render.ts';
import { addBranding, lockEnvironment, readBranding, readIssuer, readLook } from '../store/branding.ts';
import type { Branding, Logo, Look } from './branding.ts';
import { DEFAULT_BRANDING } from './branding.ts';
import { readLogoInWorker } from './logo-in-worker.ts';
import { refuseLogo } from './refuse-logo.ts';
import { sampleContent } from './sample.ts';

/** The branding of an environment's documents that are rendered from now on; null when there is no such environment. */
export function brandingOf(db: Pick<Db, 'pool'>, environmentId: number): Promise<Branding | null> {
  return readBranding(db.pool, environmentId);
}

/** What pages show of an environment's branding now. */
export function lookOf(db: Pick<Db, 'pool'>, environmentId: number): Promise<Look> {
  return readLook(db.pool, environmentId);
}

/** The dependencies of setting a branding: a logo is test-rendered by a rendering thread. */
export type BrandingServices = { readonly db: Pick<Db, 'pool'>; readonly renderer: Renderer };

/** A sample document of the environment's company in its branding, as PDF; null when there is no such environment. */
export async function brandingSample(
  { db, renderer }: BrandingServices,
  environmentId: number,
): Promise<Buffer | null> {
  const [issuer, branding] = await Promise.all([
    readIssuer(db.pool, environmentId),
    readBranding(db.pool, environmentId),
  ]);
  return issuer && branding && renderer.render(sampleContent(issuer, branding));
}

/**
 * Sets language, accent colour and logo of documents that are rendered from now on, and records who did it and why.
 * Rendered documents stay unchanged, also when they are lost and rendered again; the company's other environment keeps its
 * own. Refuses with `invalid_request` a logo that `readLogoInWorker` refuses.
 */
export async function setBranding(
  { db, renderer }: BrandingServices,
  actor: Actor,
  environmentId: number,
  request: BrandingRequest,
): Promise<Outcome<Branding>> {
  const { reason, logo: given, ...others } = request;
  const issuer = await readIssuer(db.pool, environmentId);
  if (issuer === null) throw new Error(`there is no environment ${environmentId}`);
  const logo = given && (await readLogoInWorker(given.type, given.content));
  if (isRefusal(logo)) return logo;
  const tried = logo ? await tryOut(renderer, issuer, logo) : null;
  if (isRefusal(tried)) return tried;
  return inTransaction(db.pool, async (client) => {
    await lockEnvironment(client, environmentId);
    const before = (await readBranding(client, environmentId))!;
    const branding = await addBranding(client, environmentId, {
      language: others.language ?? before.language,
      accentColour: others.accentColour === undefined ? before.accentColour : others.accentColour,
      logo: logo === undefined ? before.logo : logo,
    });
    const { language, accentColour } = branding;
    const details = { lookId: branding.id, language, accentColour, logo: noted(branding.logo) };
    const entry = { actor, action: 'set_company_look', subject: `${environmentId}`, environmentId, reason };
    await addAuditEntry(client, { ...entry, details });
    return branding;
  });
}

/**
 * A document of one page has 35 KiB, and the largest image 256. A drawing that produces more repeats itself (a
 * shape with a gradient of many colours, a thousand times), and would cost as much time as space for every
 * document.
 */
const LARGEST_SAMPLE = 320 * 1024;

/**
 * Whether documents can be rendered with the logo. A drawing may be valid in all its parts and still be too much
 * for the renderer; if that were discovered later, the company could get no documents.
 */
async function tryOut(renderer: Renderer, issuer: IssuerSnapshot, logo: Logo): Promise<Outcome<null>> {
  const print = (branding: Branding) => renderer.render(sampleContent(issuer, branding));
  const sample = await print({ ...DEFAULT_BRANDING, logo }).catch(() => null);
  if (sample === null) {
    // If it also fails without the logo, the failure is a bug and no refusal.
    await print(DEFAULT_BRANDING);
    return refuseLogo('broken', 'cannot be drawn: save it anew with another program');
  }
  if (sample.length <= LARGEST_SAMPLE) return null;
  return refuseLogo('too_big', 'would make every document too large: draw it with fewer shapes and effects');
}

function noted(logo: Logo | null): object | null {
  return logo && { type: logo.type, bytes: logo.bytes.length };
}
