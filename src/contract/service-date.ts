/** The header in which a proxy of `card-platform-sdk/server` passes on the `Date` of the service. */
export const SERVICE_DATE_HEADER = 'x-card-platform-date';
