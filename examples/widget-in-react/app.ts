import { CountersignApprovals } from 'countersign/widget/react';
import { createElement, StrictMode, useCallback, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';

/** Where the server is, and the key; a real page asks its own server for a token of the person who is signed in. */
const settings = new URLSearchParams(location.search);
const url = settings.get('url') ?? 'http://127.0.0.1:4000/graphql';

function Desk(): ReactElement {
  const [last, setLast] = useState('Nobody has decided anything yet.');
  const token = useCallback(() => sessionStorage.getItem('key') ?? '', []);
  return createElement(
    'main',
    null,
    createElement('h1', null, 'Orders desk'),
    createElement('p', { id: 'last' }, last),
    createElement(CountersignApprovals, {
      url,
      ...(sessionStorage.getItem('key') === null ? {} : { token }),
      onDecided: ({ detail }) => setLast(`${detail.resolution?.by.name ?? 'The deadline'}: ${detail.status.toLowerCase()}`),
      onError: ({ detail }) => setLast(detail.message),
    }),
  );
}

const root = document.querySelector('#root');
if (root) createRoot(root).render(createElement(StrictMode, null, createElement(Desk)));
