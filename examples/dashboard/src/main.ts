import './style.css';

const FRAME_MS = 200;

// What the page's server has drawn is shown first: all of the script takes longer to run than that. A tab that is not shown has no frames.
if (document.getElementById('app')!.hasChildNodes()) {
  await new Promise<void>((shown) => {
    requestAnimationFrame(() => setTimeout(shown));
    setTimeout(shown, FRAME_MS);
  });
}
await import('./page.tsx');
