import { graphql } from './graphql.ts';

/** What the page asks about drafts and schedules. */

const DraftSummary = graphql(`
  fragment DraftSummary on InvoiceDraft @_unmask {
    id
    status
    total
    updatedAt
    invoiceId
    input {
      recipient {
        name
      }
      lineItems {
        description
      }
    }
  }
`);

export const DraftList = graphql(
  `
    query DraftList {
      invoiceDrafts(status: open, first: 50) {
        edges {
          node {
            ...DraftSummary
          }
        }
      }
    }
  `,
  [DraftSummary],
);

/** All that the form has fields for, and what it keeps as it is. */
export const DraftContent = graphql(`
    fragment DraftContent on InvoiceDraft @_unmask {
      id
      status
      total
      updatedAt
      invoiceId
      errors {
        field
        message
      }
      input {
        type
        externalCustomerId
        externalId
        dueDate
        operationDate
        language
        notes
        numberSeriesId
        recargoEquivalencia
        qualifiedSimplified
        recipientUnidentified
        issuedBy
        metadata
        recipient {
          name
          companyName
          givenName
          surnames
          taxId
          taxIdType
          taxIdCountry
          email
          address {
            line1
            line2
            postalCode
            city
            country
          }
        }
        thirdParty {
          name
          taxId
        }
        payment {
          means
          iban
          reference
          terms
        }
        withholding {
          rate
          base
        }
        delivery {
          from
          to
        }
        references {
          purchaseOrder
          buyerReference
          contract
          project
        }
        displayCurrency {
          code
          rate
          source
        }
        disbursements {
          description
          amount
          reference
        }
        lineItems {
          description
          sku
          unit
          quantity
          quantityDecimal
          unitAmount
          unitAmountDecimal
          pricesIncludeTax
          taxItems {
            type
            rate
            regimeKey
            operationClass
            exemption
          }
        }
      }
    }
`);

export const DraftDetail = graphql(
  `
    query DraftDetail($id: ID!) {
      invoiceDraft(id: $id) {
        ...DraftContent
      }
    }
  `,
  [DraftContent],
);

export const CreateDraft = graphql(
  `
    mutation CreateDraft($input: CreateInvoiceDraftInput!) {
      createInvoiceDraft(input: $input) {
        ...DraftContent
      }
    }
  `,
  [DraftContent],
);

export const UpdateDraft = graphql(
  `
    mutation UpdateDraft($id: ID!, $input: UpdateInvoiceDraftInput!, $expectedUpdatedAt: DateTime) {
      updateInvoiceDraft(id: $id, input: $input, expectedUpdatedAt: $expectedUpdatedAt) {
        ...DraftContent
      }
    }
  `,
  [DraftContent],
);

export const IssueDraft = graphql(`
  mutation IssueDraft($id: ID!) {
    issueInvoiceDraft(id: $id) {
      id
    }
  }
`);

export const DeleteDraft = graphql(`
  mutation DeleteDraft($id: ID!) {
    deleteInvoiceDraft(id: $id) {
      id
    }
  }
`);

export const ScheduleFields = graphql(`
  fragment ScheduleFields on InvoiceSchedule @_unmask {
    id
    status
    frequency
    startsOn
    endsOn
    count
    made
    nextDates
    updatedAt
    invoice
  }
`);

export const ScheduleList = graphql(
  `
    query ScheduleList {
      invoiceSchedules(first: 50) {
        edges {
          node {
            ...ScheduleFields
          }
        }
      }
    }
  `,
  [ScheduleFields],
);

export const CreateSchedule = graphql(
  `
    mutation CreateSchedule($input: CreateInvoiceScheduleInput!) {
      createInvoiceSchedule(input: $input) {
        ...ScheduleFields
      }
    }
  `,
  [ScheduleFields],
);

export const PauseSchedule = graphql(
  `
    mutation PauseSchedule($id: ID!) {
      pauseInvoiceSchedule(id: $id) {
        ...ScheduleFields
      }
    }
  `,
  [ScheduleFields],
);

export const ResumeSchedule = graphql(
  `
    mutation ResumeSchedule($id: ID!) {
      resumeInvoiceSchedule(id: $id) {
        ...ScheduleFields
      }
    }
  `,
  [ScheduleFields],
);

export const EndSchedule = graphql(
  `
    mutation EndSchedule($id: ID!) {
      endInvoiceSchedule(id: $id) {
        ...ScheduleFields
      }
    }
  `,
  [ScheduleFields],
);
