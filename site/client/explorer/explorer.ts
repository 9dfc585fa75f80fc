import type { EndpointId } from 'card-platform-sdk/testing';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { button, choice, element } from '../element.js';
import { errorView, requestTable } from '../run/views.js';
import { type Explored, exploreCell } from './explore.js';
import { FAULTS, MOMENTS, type Moment } from './faults.js';
import { nextSteps } from './next-steps.js';

/** Shows the explorer in an element of the page. */
export function explore(root: HTMLElement): void {
  const ids = ENDPOINTS.map(({ id }) => id);
  const endpoint = choice('Endpoint', ids, () => {});
  const fault = choice('Fault', Object.keys(FAULTS), offerMoments);
  const moment = choice('Moment', MOMENTS, () => {});
  const result = element('div', { class: 'output', role: 'status' });
  endpoint.select.value = 'wallets.credit.withdraw';
  fault.select.value = 'the connection breaks';

  function offerMoments(): void {
    moment.select.disabled = FAULTS[fault.select.value]?.hasMoment !== true;
  }

  async function call(): Promise<void> {
    root.dataset['state'] = 'running';
    const id = endpoint.select.value as EndpointId;
    const explored = await exploreCell({
      endpoint: id,
      fault: fault.select.value,
      moment: moment.select.value as Moment,
    });
    result.replaceChildren(...views(id, explored));
    root.dataset['state'] = 'done';
  }

  offerMoments();
  root.replaceChildren(
    element('p', { class: 'filters' }, endpoint.field, fault.field, moment.field),
    element('p', {}, button('Make the call', call)),
    result,
  );
}

function views(endpoint: EndpointId, { error, requests, hasActed }: Explored): HTMLElement[] {
  const failed = error !== undefined;
  return [
    element('h2', {}, 'What your code gets'),
    failed ? errorView(error) : element('p', {}, 'The call succeeded.'),
    ...(failed ? [element('h2', {}, 'What to do next'), nextSteps(endpoint, error)] : []),
    element('h2', {}, 'What the client sent'),
    requestTable(requests),
    element('h2', {}, 'What the service knows'),
    element(
      'p',
      { 'data-acted': `${hasActed}` },
      hasActed
        ? 'The service acted: its state has changed.'
        : 'The service did nothing: its state has not changed.',
    ),
  ];
}
