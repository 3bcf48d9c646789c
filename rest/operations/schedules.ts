import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of a schedule. */
const SCHEDULE_FIELDS = `fragment InvoiceScheduleFields on InvoiceSchedule {
  id
  status
  invoice
  frequency
  starts_on: startsOn
  ends_on: endsOn
  count
  due_in_days: dueInDays
  made
  next_dates: nextDates
  created_at: createdAt
  updated_at: updatedAt
}` as const;

/** The stored queries of the endpoints under /v1/invoice_schedules. */
export const scheduleOperations = {
  create: stored(
    `mutation CreateInvoiceSchedule($input: CreateInvoiceScheduleInput!) {
  answer: createInvoiceSchedule(input: $input) {
    ...InvoiceScheduleFields
  }
}`,
    [SCHEDULE_FIELDS],
  ),
  list: stored(
    `query ListInvoiceSchedules($first: Int, $after: String, $status: InvoiceScheduleStatus) {
  answer: invoiceSchedules(first: $first, after: $after, status: $status) {
    edges {
      node {
        ...InvoiceScheduleFields
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    [SCHEDULE_FIELDS],
  ),
  get: stored(
    `query GetInvoiceSchedule($id: ID!) {
  answer: invoiceSchedule(id: $id) {
    ...InvoiceScheduleFields
  }
}`,
    [SCHEDULE_FIELDS],
  ),
  update: stored(
    `mutation UpdateInvoiceSchedule($id: ID!, $input: UpdateInvoiceScheduleInput!) {
  answer: updateInvoiceSchedule(id: $id, input: $input) {
    ...InvoiceScheduleFields
  }
}`,
    [SCHEDULE_FIELDS],
  ),
  pause: stored(
    `mutation PauseInvoiceSchedule($id: ID!) {
  answer: pauseInvoiceSchedule(id: $id) {
    ...InvoiceScheduleFields
  }
}`,
    [SCHEDULE_FIELDS],
  ),
  resume: stored(
    `mutation ResumeInvoiceSchedule($id: ID!) {
  answer: resumeInvoiceSchedule(id: $id) {
    ...InvoiceScheduleFields
  }
}`,
    [SCHEDULE_FIELDS],
  ),
  end: stored(
    `mutation EndInvoiceSchedule($id: ID!) {
  answer: endInvoiceSchedule(id: $id) {
    ...InvoiceScheduleFields
  }
}`,
    [SCHEDULE_FIELDS],
  ),
};
