/** Put on fields of `Query` that are made of rows alone, and may read many of them: `extensions: FROM_STANDBY`. */
export const FROM_STANDBY = { fromStandby: true } as const;

/** Put on fields of `Query` that report what a job did for the caller, who then expects it in lists: `extensions: REPORTS_JOB`. */
export const REPORTS_JOB = { reportsJob: true } as const;
