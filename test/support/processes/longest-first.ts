import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, by far: they start processes, browsers or play seeds. The order among them is no matter. */
const LONGEST = [
  'browser/console',
  'integration/fleet',
  'attack/attacks',
  'rest/guides',
  'simulation/startup',
  'integration/import-runs',
  'simulation/registration',
  'integration/backup-and-restore',
  'simulation/full-disk',
  'integration/failover',
  'browser/portal',
  'browser/docs',
  'unit/invoice-pdf',
  'integration/client-certificates',
  'integration/document-places',
  'integration/agency-simulator-process',
  'integration/correction-histories',
  'integration/database-owners',
  'rest/hostile-bodies',
];

/** Begins with the longest files, so that at the end no worker goes on alone while the others have nothing left to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1;
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
