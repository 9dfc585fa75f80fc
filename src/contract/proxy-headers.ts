/** The header in which a proxy of `card-platform-sdk/server` passes on the `Date` of the service. */
export const SERVICE_DATE_HEADER = 'x-card-platform-date';

/** The header in which a page says for how many milliseconds the proxy may send its request. */
export const TIME_LEFT_HEADER = 'x-card-platform-time-left';

/** The header in which a page says which user its journal names: the text of `encodeUser`. */
export const USER_HEADER = 'x-card-platform-user';

/** The id of a user as a header can contain it. */
export function encodeUser(user: string): string {
  // Half of a surrogate pair cannot be encoded.
  return encodeURIComponent(user.replace(/\p{Cs}/gu, '\ufffd'));
}
