/** The due day of an invoice as its index has it: one without comes behind every day. */
export const DUE_DAY = "coalesce(due_date, 'infinity')";
