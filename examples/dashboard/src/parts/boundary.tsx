import { Component, type ReactNode } from 'react';
import { t } from '../language.ts';

/** Shows that something failed in the page itself, instead of an empty page. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="trouble">
        <p>{t('This page has failed.')}</p>
        <button type="button" className="link" onClick={() => location.reload()}>
          {t('Load it again')}
        </button>
      </div>
    );
  }
}
