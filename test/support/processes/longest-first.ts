import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by far: they start processes, browsers or run seeds. In this order. */
const LONGEST = [
  'browser/console',
  'rest/guides',
  'attack/attacks',
  'integration/fleet',
  'integration/backup-and-restore',
  'attack/hostile-files',
  'browser/docs',
  'simulation/startup',
  'integration/database-owners',
  'integration/random-invoices',
  'unit/published-rules',
  'unit/schema-tools',
  'integration/standby',
  'integration/cli-examples',
  'client/shop',
  'integration/import-runs',
  'browser/dashboard',
  'unit/invoice-pdf',
  'integration/mutation-caches',
  'browser/dashboard-connections',
  'browser/demo-walk',
  'browser/portal',
  'simulation/full-disk',
  'integration/failover',
];

/** Begins with the longest files, so that at the end no worker goes on alone while the others have nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }

  /** Deals the files out, so that each part has its share of the longest. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!;
    return files
      .toSorted((one, other) => rankOf(one) - rankOf(other) || one.moduleId.localeCompare(other.moduleId))
      .filter((_file, place) => place % count === index - 1);
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? LONGEST.length : place;
}
