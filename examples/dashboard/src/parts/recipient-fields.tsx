import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { CustomerList } from '../documents-customers.ts';
import { t } from '../language.ts';
import type { Draft } from './draft.ts';
import { type DraftProps, fieldsOf, standard } from './draft-fields.tsx';
import { Select } from './field.tsx';
import { More } from './more.tsx';

const TAX_ID_TYPES = [
  ...['es_nif', 'eu_vat', 'passport', 'official_document', 'residence_certificate', 'not_registered'],
  'other',
];

/** To whom it is made out: a customer, or whoever is typed. */
export function RecipientFields(props: DraftProps & { readonly hasType: boolean }) {
  const { draft, faults, onChange, hasType } = props;
  const { text, choice, check } = fieldsOf(props);
  return (
    <fieldset>
      <legend>{t('Recipient')}</legend>
      {hasType && (
        <Select
          path="input.type"
          label={t('Type')}
          faults={faults}
          value={draft.type}
          onChange={({ target }) => onChange({ type: target.value as Draft['type'] })}
        >
          <option value="complete">{t('Complete invoice')}</option>
          <option value="simplified">{t('Simplified (no recipient)')}</option>
        </Select>
      )}
      {draft.type === 'complete' && (
        <PartyFields {...props}>
          {text('input.externalCustomerId', t('Customer number'), 'externalCustomerId')}
          {check(t('Simplified, with its recipient (art. 7.2 and 7.3)'), 'isQualified')}
          {check(t('No tax id is needed (art. 6.1.d)'), 'isUnidentified')}
        </PartyFields>
      )}
      {hasType && (
        <More
          label={t('Who issues it')}
          isUsed={draft.issuedBy !== ''}
          paths={['input.issuedBy', 'input.thirdParty']}
          faults={faults}
        >
          {choice('input.issuedBy', t('Issued by'), 'issuedBy', ['recipient', 'third_party'], standard())}
          {draft.issuedBy === 'third_party' && (
            <>
              {text('input.thirdParty.name', t('Third party'), 'thirdPartyName')}
              {text('input.thirdParty.taxId', t('NIF of the third party'), 'thirdPartyTaxId')}
            </>
          )}
        </More>
      )}
    </fieldset>
  );
}

/** A customer, or whoever is typed; `children` are further fields that few need. */
export function PartyFields(props: DraftProps & { readonly children?: ReactNode }) {
  const { draft, faults, onChange, children } = props;
  const { text, choice } = fieldsOf(props);
  const at = 'input.recipient';
  const isUsed = [draft.companyName, draft.surnames, draft.taxIdType, draft.line2].some((one) => one !== '');
  return (
    <>
      <CustomerChoice onChoose={onChange} />
      <div className="columns">
        {text(`${at}.name`, t('Name'), 'name')}
        {text(`${at}.taxId`, t('NIF'), 'taxId')}
        {text(`${at}.address.line1`, t('Address'), 'line1')}
        {text(`${at}.address.postalCode`, t('Postal code'), 'postalCode')}
        {text(`${at}.address.city`, t('City'), 'city')}
        {text(`${at}.address.country`, t('Country'), 'country', { maxLength: 2 })}
        {text(`${at}.email`, t('E-mail'), 'email', { type: 'email' })}
      </div>
      <More
        label={t('More on the recipient')}
        isUsed={isUsed}
        paths={[`${at}.companyName`, `${at}.taxIdType`, `${at}.taxIdCountry`, `${at}.givenName`]}
        faults={faults}
      >
        {text(`${at}.companyName`, t('Company'), 'companyName')}
        {text(`${at}.givenName`, t('Forename'), 'givenName')}
        {text(`${at}.surnames`, t('Surnames'), 'surnames')}
        {choice(`${at}.taxIdType`, t('Kind of identification'), 'taxIdType', TAX_ID_TYPES, t('found out'))}
        {text(`${at}.taxIdCountry`, t('Its state'), 'taxIdCountry', { maxLength: 2 })}
        {text(`${at}.address.line2`, t('Second line'), 'line2')}
        {children}
      </More>
    </>
  );
}

const PAUSE_MS = 300;

/** A text once nobody has typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Finds a customer as one types, and fills in what is known. */
function CustomerChoice({ onChoose }: { onChoose: (part: Partial<Draft>) => void }) {
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const [{ data }] = useQuery({
    query: CustomerList,
    variables: { text, first: 6 },
    pause: text.length < 2,
  });
  const found = text.length < 2 || typed === '' ? [] : (data?.customers?.edges ?? []);
  return (
    <div className="field customers">
      <label htmlFor="customer">{t('Find a customer')}</label>
      <input
        id="customer"
        type="search"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ul>
        {found.map(({ node }) => {
          if (node === null) return null;
          const { id, name, companyName, taxId, taxIdType, taxIdCountry, email, externalCustomerId } = node;
          const choose = () => {
            setTyped('');
            const { line1, line2, postalCode, city, country } = node.address ?? {};
            const known = { name, companyName, taxId, taxIdType, taxIdCountry, email, externalCustomerId };
            const address = { line1, line2, postalCode, city, country: country ?? 'ES' };
            const texts = Object.entries({ ...known, ...address }).map(([key, value]) => [key, value ?? '']);
            onChoose(Object.fromEntries(texts));
          };
          return (
            <li key={id}>
              <button type="button" className="quiet" onClick={choose}>
                {[companyName ?? name, taxId].filter(Boolean).join(' · ')}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
