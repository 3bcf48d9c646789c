import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by far: they start processes, browsers or run seeds. In this order. */
const LONGEST = [
  'rest/guides',
  'browser/console',
  'integration/fleet',
  'simulation/registration',
  'integration/import-runs',
  'integration/database-owners',
  'unit/published-rules',
  'attack/attacks',
  'integration/backup-and-restore',
  'browser/docs',
  'simulation/startup',
  'simulation/full-disk',
  'integration/failover',
  'unit/invoice-pdf',
  'simulation/killed-batches',
  'browser/portal',
];

/** Begins with the longest files, so that at the end no worker goes on alone while the others have nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? LONGEST.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
