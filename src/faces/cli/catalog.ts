import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { findCompany } from '../../subjects/accounts/store/read-companies.ts';
import {
  catalogRemovalRequest,
  catalogRowRequest,
  dropCatalogRow,
  setCatalogRow,
} from '../../subjects/taxes/edit-catalog.ts';
import { loadTaxCatalog } from '../../subjects/taxes/store/read-catalog.ts';
import { TAX_TYPES } from '../../subjects/taxes/types.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import {
  choiceOperand,
  choiceOption,
  operand,
  optionalOption,
  requiredChoice,
  requiredOption,
} from './options.ts';
import { companyChange } from './targets.ts';

const COMPANY = operand('the id of the company');

export function catalog(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'catalog', 'how a company’s taxes are declared to the agency');
  queryCommand(group, runtime, {
    name: 'show',
    description: 'shows the tax catalog of a company',
    parameters: { company: COMPANY },
    examples: [['One catalog', 'catalog show $COMPANY']],
    async run({ db }, { company }) {
      if ((await findCompany(db, company)) === null) {
        return invalidField('company', 'not_found', 'there is no such company');
      }
      return [...(await loadTaxCatalog(db, company)).values()];
    },
  });
  changeCommand(group, runtime, {
    name: 'set',
    description: 'sets how a tax type is declared in future invoices',
    details:
      'Classifies a tax type of a company for future invoices. Values that the agency would reject are refused. The whole row is replaced: omitted options become empty.',
    parameters: {
      company: COMPANY,
      type: choiceOperand(TAX_TYPES, 'the tax type'),
      agencyTax: requiredChoice(['01', '02', '03', '05'], 'Impuesto: IVA, IPSI, IGIC, others'),
      regimeKey: optionalOption('two digits', 'ClaveRegimen'),
      operationClass: choiceOption(['S1', 'S2', 'N1', 'N2'], 'CalificacionOperacion'),
      exemption: choiceOption(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'], 'OperacionExenta'),
      label: requiredOption('text', 'the printed name'),
      legalMention: optionalOption('text', 'the text that the law requires to be printed'),
    },
    examples: [
      [
        'A company enters the cash accounting scheme',
        'catalog set $COMPANY vat --agency-tax 01 --regime-key 07 --operation-class S1 --label IVA --legal-mention "Régimen especial del criterio de caja" --reason "opted in for the year"',
      ],
    ],
    preview: (context, { company, type }) => companyChange(context, company, `declare ${type} differently`),
    async run({ db }, values, by) {
      const { company: companyId, type: taxType, agencyTax, regimeKey, operationClass } = values;
      const { exemption, label, legalMention } = values;
      const request = parseRequest(catalogRowRequest, {
        ...{ companyId, taxType, agencyTax, regimeKey, operationClass },
        ...{ exemption, label, legalMention, reason: by.reason },
      });
      return isRefusal(request) ? request : setCatalogRow(db, by.actor, request);
    },
  });
  changeCommand(group, runtime, {
    name: 'remove',
    description: 'removes a tax type from a catalog: from then on it is refused',
    parameters: { company: COMPANY, type: choiceOperand(TAX_TYPES, 'the tax type') },
    examples: [
      [
        'A company that sells nothing in the Canary Islands',
        'catalog remove $COMPANY igic --reason "not used"',
      ],
    ],
    preview: (context, { company, type }) =>
      companyChange(context, company, `refuse ${type} from now on in the invoices`),
    async run({ db }, { company: companyId, type: taxType }, { actor, reason }) {
      const request = parseRequest(catalogRemovalRequest, { companyId, taxType, reason });
      if (isRefusal(request)) return request;
      const outcome = await dropCatalogRow(db, actor, request);
      return isRefusal(outcome) ? outcome : { companyId, removed: taxType };
    },
  });
}
