/** Put on fields of `Query` that are made of rows alone, and may read many of them: `extensions: FROM_STANDBY`. */
export const FROM_STANDBY = { fromStandby: true } as const;
