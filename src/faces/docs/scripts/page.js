// What the pages can do beyond being read. Without it nothing is missing that has no other way.

const { copy: copyText, copied: copiedText, notCopied, of } = document.body.dataset;

for (const figure of document.querySelectorAll('figure.code')) {
  const text = figure.querySelector('code').textContent;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copyText;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    const copied = await copy(text);
    button.textContent = copied ? copiedText : notCopied;
    setTimeout(() => {
      button.textContent = copyText;
    }, 2_000);
  });
  figure.querySelector('figcaption').append(button);
}

/** Browsers have a clipboard only on https and on this machine; elsewhere the old command still works. */
async function copy(text) {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

const filter = document.querySelector('form.filter');
if (filter !== null) {
  const entries = [...document.querySelectorAll('[data-entry]')];
  const output = filter.querySelector('output');
  filter.hidden = false;
  filter.addEventListener('submit', (event) => event.preventDefault());
  filter.addEventListener('input', () => {
    const words = filter.querySelector('input').value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) shown += 1;
    }
    for (const group of document.querySelectorAll('[data-group]')) {
      group.hidden = group.querySelector('[data-entry]:not([hidden])') === null;
    }
    output.textContent = `${shown} ${of} ${entries.length}`;
  });
}
