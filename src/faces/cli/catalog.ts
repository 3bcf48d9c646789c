import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { findCompany } from '../../subjects/accounts/companies.ts';
import { loadTaxCatalog } from '../../subjects/taxes/catalog-store.ts';
import {
  catalogRemovalRequest,
  catalogRowRequest,
  dropCatalogRow,
  setCatalogRow,
} from '../../subjects/taxes/edit-catalog.ts';
import { TAX_TYPES } from '../../subjects/taxes/types.ts';
import { changes, reads, subject, type World } from './command.ts';
import { may, need, needWord, operand, word, wordOperand } from './options.ts';
import { onCompany } from './targets.ts';

const COMPANY = operand('the id of the company');

export function catalog(program: Command, world: World): void {
  const group = subject(program, 'catalog', 'how a company’s taxes are declared to the agency');
  reads(group, world, {
    name: 'show',
    says: 'shows the tax catalog of a company',
    takes: { company: COMPANY },
    examples: [['One catalog', 'catalog show $COMPANY']],
    async run({ db }, { company }) {
      if ((await findCompany(db.pool, company)) === null) {
        return invalidField('company', 'not_found', 'there is no such company');
      }
      return [...(await loadTaxCatalog(db, company)).values()];
    },
  });
  changes(group, world, {
    name: 'set',
    says: 'says how a tax type is declared in the invoices to come',
    details:
      'Classifies a tax type of a company for the invoices to come. What the agency would reject is refused. The row is replaced whole: what is left out is empty afterwards.',
    takes: {
      company: COMPANY,
      type: wordOperand(TAX_TYPES, 'the tax type'),
      agencyTax: needWord(['01', '02', '03', '05'], 'Impuesto: IVA, IPSI, IGIC, others'),
      regimeKey: may('two digits', 'ClaveRegimen'),
      operationClass: word(['S1', 'S2', 'N1', 'N2'], 'CalificacionOperacion'),
      exemption: word(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'], 'OperacionExenta'),
      label: need('text', 'how it is printed'),
      legalMention: may('text', 'what the law wants to be printed besides'),
    },
    examples: [
      [
        'A company enters the cash accounting scheme',
        'catalog set $COMPANY vat --agency-tax 01 --regime-key 07 --operation-class S1 --label IVA --legal-mention "Régimen especial del criterio de caja" --reason "opted in for the year"',
      ],
    ],
    would: (desk, { company, type }) => onCompany(desk, company, `declare ${type} differently`),
    async run({ db }, given, by) {
      const { company: companyId, type: taxType, agencyTax, regimeKey, operationClass } = given;
      const { exemption, label, legalMention } = given;
      const request = parseRequest(catalogRowRequest, {
        ...{ companyId, taxType, agencyTax, regimeKey, operationClass },
        ...{ exemption, label, legalMention, reason: by.reason },
      });
      return isRefusal(request) ? request : setCatalogRow(db, by.actor, request);
    },
  });
  changes(group, world, {
    name: 'remove',
    says: 'takes a tax type out of a catalog: from then on it is refused',
    takes: { company: COMPANY, type: wordOperand(TAX_TYPES, 'the tax type') },
    examples: [
      ['A company that sells nothing on the Canaries', 'catalog remove $COMPANY igic --reason "not used"'],
    ],
    would: (desk, { company, type }) =>
      onCompany(desk, company, `refuse ${type} from now on in the invoices`),
    async run({ db }, { company: companyId, type: taxType }, { actor, reason }) {
      const request = parseRequest(catalogRemovalRequest, { companyId, taxType, reason });
      if (isRefusal(request)) return request;
      const outcome = await dropCatalogRow(db, actor, request);
      return isRefusal(outcome) ? outcome : { companyId, removed: taxType };
    },
  });
}
