import { describe, expect, it } from 'vitest';
import { declaredEndpoints } from '../../scripts/generate/declared-endpoints.js';
import { differences, EndpointTypes, type Shape, shapeOfField } from './shape.js';

const declared = (await declaredEndpoints()).map(({ constant, endpoint }) => ({
  constant,
  endpoint,
  id: endpoint.id,
  stability: endpoint.stability,
}));
const types = new EndpointTypes();

/** Fields that we add to what the service says. */
const OURS = ['faucetOutcome', 'resolvedByRetry'];
/** Answers that are one of several shapes, each with its own tests. */
const UNIONS = ['auth.login', 'referral.get'];

function without(shape: Shape, names: readonly string[]): Shape {
  if (shape === true) return true;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)));
}

describe('what a call takes', () => {
  it.each(declared)('$id', ({ constant, endpoint }) => {
    expect(shapeOfField(endpoint.input).shape).toEqual(types.shapeOf(constant, 0));
  });
});

describe('what an endpoint under contract gives', () => {
  const shown = declared.filter(
    ({ id, stability }) => stability === 'contract' && !UNIONS.includes(id),
  );
  it.each(shown)('$id', ({ constant, endpoint }) => {
    const expected = without(types.shapeOf(constant, 1), OURS);
    for (const { schema } of Object.values(endpoint.responses)) {
      expect(differences(shapeOfField(schema).shape, expected)).toEqual([]);
    }
  });
});
