const TEXT = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The error bodies of the contract. Other fields may follow. */
export const ERROR_SCHEMAS = {
  Error: {
    description: 'One of the error bodies of the service.',
    anyOf: [ref('MessageError'), ref('ConsentError')],
  },
  MessageError: {
    description: 'The error body of most endpoints.',
    type: 'object',
    required: ['message'],
    properties: {
      message: TEXT,
      isOtpRequired: {
        type: 'boolean',
        description: 'Only for a login: whether it must be sent again with a one-time password.',
      },
      errors: {
        type: 'array',
        description: 'The fields that are not valid.',
        items: ref('FieldError'),
      },
    },
  },
  FieldError: {
    description: 'A field that is not valid.',
    type: 'object',
    required: ['field', 'message'],
    properties: { field: { ...TEXT, description: 'Dotted path.' }, message: TEXT },
  },
  ConsentError: {
    description: 'The error body of the consent endpoints.',
    type: 'object',
    required: ['error'],
    properties: { error: TEXT, details: { type: 'array', items: TEXT } },
  },
};
