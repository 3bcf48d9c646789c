// Shows the OpenAPI document in the viewer, which is to speak with nobody but this service.

const place = document.querySelector('#reference');
// What stood there until now was in the style of the other pages, and the viewer has its own; it would compare its page with that.
place.replaceChildren();
document.querySelector('#plain').remove();
document.body.className = '';

Scalar.createApiReference(place, {
  url: place.dataset.document,
  pageTitle: document.title,
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
});
