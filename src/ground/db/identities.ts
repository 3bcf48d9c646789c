/**
 * The servers of a database, as text: the identity of its own server (system identifier, timeline and database, separated by
 * `/`), and where Citus divides environments among several, after a space each, the numbers of their groups and their identities:
 * `7/00000001/5 1:8/00000001/5 2:9/00000002/5`.
 */
export type Identities = {
  readonly own: string;
  /** By the number of the group. */
  readonly workers: ReadonlyMap<number, string>;
};

export function parseIdentities(text: string): Identities {
  const [own = '', ...parts] = text.split(' ');
  const workers = parts.map((part): [number, string] => {
    const colon = part.indexOf(':');
    return [Number(part.slice(0, colon)), part.slice(colon + 1)];
  });
  return { own, workers: new Map(workers) };
}

export function identitiesText({ own, workers }: Identities): string {
  const ordered = [...workers].sort(([one], [other]) => one - other);
  return [own, ...ordered.map(([group, identity]) => `${group}:${identity}`)].join(' ');
}

/** Whether `identity` is an earlier timeline of the same database than `known`: a primary that was replaced. */
export function isSuperseded(identity: string, known: string | null): boolean {
  return known !== null && isPromotion(parseIdentities(identity).own, parseIdentities(known).own);
}

/** Whether each server of `after` is the one of `before`, or the same database on a later timeline: a standby was promoted, or it was recovered. */
export function isPromotionOf(before: string, after: string): boolean {
  const [one, other] = [parseIdentities(before), parseIdentities(after)];
  const pairs = changedWorkers(one, other).map((group) => [
    one.workers.get(group)!,
    other.workers.get(group)!,
  ]);
  if (one.own !== other.own) pairs.push([one.own, other.own]);
  return pairs.length > 0 && pairs.every(([from, to]) => isPromotion(from!, to!));
}

/** The groups whose server is another one than before. One that was added has nothing that it could lack. */
export function changedWorkers(before: Identities, after: Identities): number[] {
  return [...after.workers].flatMap(([group, identity]) => {
    const known = before.workers.get(group);
    return known === undefined || known === identity ? [] : [group];
  });
}

/** Whether `after` is the database of `before` on a later timeline. */
function isPromotion(before: string, after: string): boolean {
  const [system, timeline = '', oid] = before.split('/');
  const [systemNow, timelineNow = '', oidNow] = after.split('/');
  return (
    system === systemNow && oid === oidNow && Number.parseInt(timeline, 16) < Number.parseInt(timelineNow, 16)
  );
}
