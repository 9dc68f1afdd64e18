/** The page knows who is signed in, and asks its own server for a token; here a key is asked for once. It is never in an address. */
let key = null;
const approvals = document.querySelector('#approvals');

approvals.addEventListener('decided', ({ detail }) => {
  document.querySelector('#last').textContent = `${detail.resolution?.by.name ?? 'The deadline'}: ${detail.status.toLowerCase()}, ${detail.message}`;
});
approvals.addEventListener('error', ({ detail }) => {
  if (detail.code !== 'UNAUTHENTICATED') return;
  key = prompt('Your key, as `countersign keys create --role approver` printed it');
  approvals.token = () => key ?? '';
});
approvals.url = new URLSearchParams(location.search).get('url') ?? 'http://127.0.0.1:4000/graphql';
