// Shows the OpenAPI document in the viewer, which is to speak with nobody but this service.

const place = document.querySelector('#reference');
// What stood there until now was in the style of the other pages, and the viewer has its own; it would compare its page with that.
place.replaceChildren();
document.querySelector('#plain').remove();
document.body.className = '';

/** The document, with what stands around its operations in the language of the page. */
async function source() {
  const { document: url, words } = place.dataset;
  if (words === undefined) return { url };
  const { introduction, tags, operations } = JSON.parse(words);
  const answer = await fetch(url);
  if (!answer.ok) return { url };
  const content = await answer.json();
  content.info.description = introduction;
  for (const tag of content.tags) {
    const [title, about] = tags[tag.name] ?? [tag.name, tag.description];
    Object.assign(tag, { 'x-displayName': title, description: about });
  }
  for (const methods of Object.values(content.paths))
    for (const operation of Object.values(methods))
      operation.summary = operations[operation.operationId] ?? operation.summary;
  return { content };
}

const settings = {
  pageTitle: document.title,
  localization: { locale: document.documentElement.lang },
  // Whatever the viewer would fetch from its makers, send to them or offer of theirs.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  operationTitleSource: 'summary',
  // Its own grey is too faint to be read by everybody.
  customCss: '.light-mode { --scalar-color-3: #616161 } .dark-mode { --scalar-color-3: #a3a3a3 }',
};

source().then((from) => Scalar.createApiReference(place, { ...from, ...settings }));
