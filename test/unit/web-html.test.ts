import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from '../../src/faces/web/format.ts';
import { type Content, html } from '../../src/faces/web/html.ts';

test('a template is markup, and whatever stands in it is text', () => {
  const name = `<b>"O'Hara" & sons</b>`;
  expect(html`<p title="${name}">${name}</p>`.markup).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Hara&quot; &amp; sons&lt;/b&gt;">' +
      '&lt;b&gt;&quot;O&#39;Hara&quot; &amp; sons&lt;/b&gt;</p>',
  );
});

test('templates stand in templates as they are, lists one after the other, and nothing for what is not there', () => {
  const items: Content = ['a', 1, null, undefined, false, html`<i>b</i>`, ['<']];
  expect(html`<p>${items}</p>`.markup).toBe('<p>a1<i>b</i>&lt;</p>');
});

test('no text can open or close a tag or an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { markup } = html`${text}`;
      expect(markup).not.toMatch(/[<>"']/);
      expect(markup.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});

test('amounts are written to the cent, in the manner of the language', () => {
  expect(money(123_456, 'es')).toBe('1.234,56\u00a0€');
  expect(money(123_456, 'en')).toBe('€1,234.56');
  expect(money(-5, 'es')).toBe('-0,05\u00a0€');
  expect(money(99_999_999_999_999, 'es')).toBe('999.999.999.999,99\u00a0€');
});
