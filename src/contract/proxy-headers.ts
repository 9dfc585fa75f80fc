/** The header in which a proxy of `card-platform-sdk/server` passes on the `Date` of the service. */
export const SERVICE_DATE_HEADER = 'x-card-platform-date';

/** The header in which a page says for how many milliseconds the proxy may send its request. */
export const TIME_LEFT_HEADER = 'x-card-platform-time-left';
