import graphql from '@graphql-eslint/eslint-plugin';

/** Types that are values: they have no identity of their own, and caches keep them inside of what holds them. */
const VALUES = [
  'AccessToken AllowedOrigins TrustedDocuments EmailDelivery EmailSettings InvoiceBatchError InvoiceBatchFieldIssue WrittenEmailFile',
  'Address Recipient ExternalReference RectifiedReference InvoiceChange',
  'TaxItem TaxBreakdownItem TaxRateTotal TaxCatalogRow TaxIdValidation Verifactu VerifactuError Withholding',
  'InvoiceTotal InvoiceDocument InvoiceDownload InvoiceFile InvoiceFormatOffer DeliveryPeriod InvoiceReferences PaymentTerms',
  'DocumentExport FormatFinding BusinessStatus RecipientStatus RecipientStatusPayload RegisterBook',
  'BulkChange ValidatedInvoice ValidatedLineItem ValidatedTaxItem Viewer Checkpoint SoftwareDeclaration SendingIncident',
  'CompanyLogo CompanyBranding WebhookAttempt WebhookEndpointWithSecret RestoreCheck NewInstallation CounterJump',
  'InvoiceDraftFault TestClock PaymentPayload TakenBounce',
  'ChainFinding ChainReference ChainStep ChainStretch ChainVerification HoldComparison Operations OperationsStretch',
  'Disbursement DisplayCurrency DraftAddress DraftDeliveryPeriod DraftDisbursement DraftDisplayCurrency',
  'DraftExternalOriginal DraftInvoice DraftInvoiceReferences DraftLine DraftPaymentTerms DraftRecipient',
  'DraftRectifiedAmounts DraftRectifies DraftTaxItem DraftThirdParty DraftWithholding ExchangeCorrection',
  'CompanyExport DraftRectifiedPeriod Erasure KeptData RectifiedPeriod',
  'TaxTypeOffer TaxSurcharge TaxTreatment ThirdParty ValidationIssue',
  'FailedRecord FailureCause ParkedRecord QueueHealth DocumentsWaiting PageInfo',
].flatMap((names) => names.split(' '));

const { rules: recommended } = graphql.configs['flat/schema-recommended'];
const { rules: relay } = graphql.configs['flat/schema-relay'];
// Values are those of REST and of the contract, which are written in lower case; orders and groups in capitals.
const [, { EnumValueDefinition: _inCapitals, ...naming }] = recommended['@graphql-eslint/naming-convention'];

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: process.env.SCHEMA } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...recommended,
      ...relay,
      '@graphql-eslint/naming-convention': ['error', naming],
      // A list that cannot grow is a list, and what stands in one is a Node (test/rest/graphql-connections.test.ts holds both,
      // and says why of the few that are not so).
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      '@graphql-eslint/strict-id-in-types': [
        'error',
        {
          acceptedIdNames: ['id'],
          acceptedIdTypes: ['ID'],
          exceptions: { types: VALUES, suffixes: ['Connection', 'Edge'] },
        },
      ],
      // `invoiceDate` is what the contract calls it, `invoiceId` is deprecated.
      '@graphql-eslint/no-typename-prefix': 'off',
    },
  },
];
