import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../rest/openapi.ts';

/** What tools of others say of the OpenAPI document. */

const { Ruleset, Spectral } = spectralCore;
const { oas } = rulesets;

const document = JSON.stringify(openApiDocument('https://invoices.lacre.test'));

test('Redocly has no warning by its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: document, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('Spectral has no warning by its recommended rules', async () => {
  const linter = new Spectral();
  linter.setRuleset(new Ruleset({ extends: [[oas, 'recommended']] }));
  const problems = await linter.run(JSON.parse(document));
  expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`)).toEqual([]);
});
