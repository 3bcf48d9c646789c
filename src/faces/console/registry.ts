import { replaceExchange, returnOnExchange } from './actions/after-exchange.ts';
import { declineApproval, giveApproval } from './actions/approvals.ts';
import { changeBranding } from './actions/branding.ts';
import {
  activateCertificate,
  removeCertificate,
  uploadCompanyCertificate,
  uploadPlatformCertificate,
} from './actions/certificates.ts';
import { openInstallation, pauseChain, resumeChain, retryChain } from './actions/chains.ts';
import { endVerifactu, newCompany, setFlags, updateCompany } from './actions/companies.ts';
import { deleteDraft, endSchedule, issueDraft, pauseSchedule, resumeSchedule } from './actions/drafts.ts';
import { changeEmailSettings } from './actions/email-settings.ts';
import { sendInvoice } from './actions/emails.ts';
import { newIntegration } from './actions/integrations.ts';
import { amendRecord, exchangeInvoice, voidInvoice } from './actions/invoices.ts';
import { retryFailedJobs, retryJob } from './actions/jobs.ts';
import { newCompanyKey, newOperatorKey, revokeKey } from './actions/keys.ts';
import { closeCompany, eraseCustomer, eraseDrafts, exportCompany } from './actions/leaving.ts';
import { retryChains, unparkRecords } from './actions/many-at-once.ts';
import { recordPayment, removePayment } from './actions/payments.ts';
import { recordRecipientStatus } from './actions/recipient-status.ts';
import { parkRecord, skipRecord, unparkRecord } from './actions/records.ts';
import { deleteSeries, openSeries, setDefaultSeries } from './actions/series.ts';
import { removeTax, setTax } from './actions/taxes.ts';
import {
  disableWebhook,
  enableWebhook,
  pingWebhook,
  redeliverFailedWebhooks,
  redeliverWebhook,
  replayWebhook,
} from './actions/webhooks.ts';
import type { Action, Page } from './page.ts';
import { approvals } from './pages/approvals.ts';
import { auditLog } from './pages/audit-log.ts';
import { batch, batches } from './pages/batches.ts';
import { branding } from './pages/branding.ts';
import { certificates, companyCertificates } from './pages/certificates.ts';
import { chain } from './pages/chain.ts';
import { companies } from './pages/companies.ts';
import { company } from './pages/company.ts';
import { declaration } from './pages/declaration.ts';
import { documentExport } from './pages/document-export.ts';
import { draft, drafts } from './pages/drafts.ts';
import { emailSettings } from './pages/email-settings.ts';
import { failures } from './pages/failures.ts';
import { find } from './pages/find.ts';
import { integrations } from './pages/integrations.ts';
import { invoice } from './pages/invoice.ts';
import { invoices } from './pages/invoices.ts';
import { jobs } from './pages/jobs.ts';
import { companyKeys, operatorKeys } from './pages/keys.ts';
import { mail, message } from './pages/mail.ts';
import { overview } from './pages/overview.ts';
import { record } from './pages/record.ts';
import { registerBook } from './pages/register-book.ts';
import { schedule, schedules } from './pages/schedules.ts';
import { series } from './pages/series.ts';
import { taxCatalog } from './pages/taxes.ts';
import { webhook, webhooks } from './pages/webhooks.ts';
import type { Text } from './words.ts';

/**
 * Where a page can be found: in the menu, or among the tabs of a company (with `:companyId` in its path), there in a group
 * of what belongs together.
 */
type MenuEntry = { readonly menu?: Text; readonly tab?: Text; readonly group?: Text };

/** Every page, one a line, in the order of the menu and of the tabs. */
export const pages: readonly (readonly [path: string, page: Page, entry?: MenuEntry])[] = [
  ['/', overview, { menu: 'Overview' }],
  ['/failures', failures, { menu: 'Failures' }],
  ['/companies', companies, { menu: 'Companies' }],
  ['/find', find, { menu: 'Search' }],
  ['/companies/:companyId', company, { tab: 'Company' }],
  ['/companies/:companyId/invoices', invoices, { tab: 'Invoices', group: 'Invoicing' }],
  ['/companies/:companyId/drafts', drafts, { tab: 'Drafts', group: 'Invoicing' }],
  ['/companies/:companyId/schedules', schedules, { tab: 'Schedules', group: 'Invoicing' }],
  ['/companies/:companyId/batches', batches, { tab: 'Batches', group: 'Invoicing' }],
  ['/companies/:companyId/register-book', registerBook, { tab: 'Register book', group: 'Invoicing' }],
  ['/companies/:companyId/series', series, { tab: 'Series', group: 'Settings' }],
  ['/companies/:companyId/taxes', taxCatalog, { tab: 'Tax catalog', group: 'Settings' }],
  ['/companies/:companyId/look', branding, { tab: 'Documents', group: 'Settings' }],
  ['/companies/:companyId/email', emailSettings, { tab: 'E-mail', group: 'Settings' }],
  ['/companies/:companyId/keys', companyKeys, { tab: 'Keys', group: 'Access and connections' }],
  [
    '/companies/:companyId/integrations',
    integrations,
    { tab: 'Integrations', group: 'Access and connections' },
  ],
  ['/companies/:companyId/webhooks', webhooks, { tab: 'Webhooks', group: 'Access and connections' }],
  [
    '/companies/:companyId/certificates',
    companyCertificates,
    { tab: 'Certificates', group: 'Access and connections' },
  ],
  ['/certificates', certificates, { menu: 'Certificates' }],
  ['/keys', operatorKeys, { menu: 'Keys' }],
  ['/jobs', jobs, { menu: 'Jobs' }],
  ['/mail', mail, { menu: 'Mail' }],
  ['/approvals', approvals, { menu: 'Approvals' }],
  ['/audit-log', auditLog, { menu: 'Audit log' }],
  ['/declaration', declaration, { menu: 'Declaración responsable' }],
  ['/companies/:companyId/export', documentExport],
  ['/invoices/:id', invoice],
  ['/chains/:chainId', chain],
  ['/records/:id', record],
  ['/mail/:id', message],
  ['/companies/:companyId/webhooks/:id', webhook],
  ['/companies/:companyId/drafts/:id', draft],
  ['/companies/:companyId/schedules/:id', schedule],
  ['/companies/:companyId/batches/:id', batch],
];

/** The tab of pages of one company whose address does not begin with it. */
export const TABS_OF_OTHERS: readonly (readonly [beginning: string, tab: string])[] = [
  ['/invoices/', '/companies/:companyId/invoices'],
  ['/records/', '/companies/:companyId/invoices'],
  ['/chains/', '/companies/:companyId'],
  ['/environments/', '/companies/:companyId'],
];

/** Everything that can be done, one a line: each is a page with a form for the reason. */
export const actions: readonly (readonly [path: string, action: Action])[] = [
  ['/chains/:chainId/retry', retryChain],
  ['/chains/:chainId/pause', pauseChain],
  ['/chains/:chainId/resume', resumeChain],
  ['/environments/:environmentId/open-installation', openInstallation],
  ['/records/:id/park', parkRecord],
  ['/records/:id/unpark', unparkRecord],
  ['/records/:id/skip', skipRecord],
  ['/invoices/:id/void', voidInvoice],
  ['/invoices/:id/amend', amendRecord],
  ['/invoices/:id/exchange', exchangeInvoice],
  ['/invoices/:id/return', returnOnExchange],
  ['/invoices/:id/replacement', replaceExchange],
  ['/invoices/:id/send', sendInvoice],
  ['/invoices/:id/payments/record', recordPayment],
  ['/invoices/:id/payments/:payment/remove', removePayment],
  ['/invoices/:id/recipient-status', recordRecipientStatus],
  ['/failures/retry-chains', retryChains],
  ['/failures/unpark-records', unparkRecords],
  ['/jobs/retry-failed', retryFailedJobs],
  ['/jobs/:id/retry', retryJob],
  ['/approvals/:id/approve', giveApproval],
  ['/approvals/:id/decline', declineApproval],
  ['/keys/new', newOperatorKey],
  ['/keys/:id/revoke', revokeKey],
  ['/companies/:companyId/keys/new', newCompanyKey],
  ['/certificates/new', uploadPlatformCertificate],
  ['/certificates/:id/activate', activateCertificate],
  ['/certificates/:id/remove', removeCertificate],
  ['/companies/:companyId/certificates/new', uploadCompanyCertificate],
  ['/companies/new', newCompany],
  ['/companies/:companyId/flags', setFlags],
  ['/companies/:companyId/data', updateCompany],
  ['/companies/:companyId/end-verifactu', endVerifactu],
  ['/companies/:companyId/archive', exportCompany],
  ['/companies/:companyId/close', closeCompany],
  ['/companies/:companyId/erase-customer', eraseCustomer],
  ['/companies/:companyId/erase-drafts', eraseDrafts],
  ['/companies/:companyId/taxes/:taxType', setTax],
  ['/companies/:companyId/taxes/:taxType/remove', removeTax],
  ['/companies/:companyId/series/new', openSeries],
  ['/companies/:companyId/series/:id/default', setDefaultSeries],
  ['/companies/:companyId/series/:id/delete', deleteSeries],
  ['/companies/:companyId/integrations/new', newIntegration],
  ['/companies/:companyId/webhooks/:id/enable', enableWebhook],
  ['/companies/:companyId/webhooks/:id/disable', disableWebhook],
  ['/companies/:companyId/webhooks/:id/ping', pingWebhook],
  ['/companies/:companyId/webhooks/:id/replay', replayWebhook],
  ['/companies/:companyId/webhooks/:id/redeliver-failed', redeliverFailedWebhooks],
  ['/companies/:companyId/webhooks/:id/deliveries/:deliveryId/redeliver', redeliverWebhook],
  ['/companies/:companyId/drafts/:id/issue', issueDraft],
  ['/companies/:companyId/drafts/:id/delete', deleteDraft],
  ['/companies/:companyId/schedules/:id/pause', pauseSchedule],
  ['/companies/:companyId/schedules/:id/resume', resumeSchedule],
  ['/companies/:companyId/schedules/:id/end', endSchedule],
  ['/companies/:companyId/look/change', changeBranding],
  ['/companies/:companyId/email/change', changeEmailSettings],
];
