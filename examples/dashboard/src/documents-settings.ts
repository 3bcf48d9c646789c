import { graphql } from './graphql.ts';

/** What the page asks about the settings of its environment. Keys are asked of the page's own server. */

export const Branding = graphql(`
  query Branding {
    companyBranding {
      id
      language
      accentColour
      logo {
        content
        type
      }
    }
  }
`);

export const SetBranding = graphql(`
  mutation SetBranding($input: SetCompanyBrandingInput!) {
    setCompanyBranding(input: $input) {
      id
      language
      accentColour
      logo {
        content
        type
      }
    }
  }
`);

export const Series = graphql(`
  query Series {
    numberSeries(first: 100) {
      edges {
        node {
          id
          prefix
          type
          yearly
          isDefault
          imported
        }
      }
    }
  }
`);

export const CreateSeries = graphql(`
  mutation CreateSeries($input: CreateNumberSeriesInput!) {
    createNumberSeries(input: $input) {
      id
    }
  }
`);

export const DeleteSeries = graphql(`
  mutation DeleteSeries($id: ID!) {
    deleteNumberSeries(id: $id) {
      id
    }
  }
`);

export const SetDefaultSeries = graphql(`
  mutation SetDefaultSeries($id: ID!) {
    setDefaultNumberSeries(id: $id) {
      id
    }
  }
`);

export const Webhooks = graphql(`
  query Webhooks {
    webhookEndpoints(first: 50) {
      edges {
        node {
          id
          url
          description
          eventTypes
          status
          disabledReason
        }
      }
    }
  }
`);

export const CreateWebhook = graphql(`
  mutation CreateWebhook($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      secret
      endpoint {
        id
      }
    }
  }
`);

export const UpdateWebhook = graphql(`
  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, input: $input) {
      id
      status
      disabledReason
    }
  }
`);

export const PingWebhook = graphql(`
  mutation PingWebhook($id: ID!) {
    pingWebhookEndpoint(id: $id) {
      id
    }
  }
`);

export const DeleteWebhook = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhookEndpoint(id: $id) {
      id
    }
  }
`);

export const TaxTypes = graphql(`
  query TaxTypes {
    taxTypes {
      type
      rates
      treatments {
        regimeKey
        operationClass
        exemption
        isDefault
      }
    }
  }
`);
