type Country = [iso3166alpha2: string, name: string, callingCode: string, canSignUp: boolean];

const COUNTRIES: readonly Country[] = [
  ['BR', 'Brazil', '55', true],
  ['DE', 'Germany', '49', true],
  ['ES', 'Spain', '34', true],
  ['FR', 'France', '33', true],
  ['GB', 'United Kingdom', '44', true],
  ['JP', 'Japan', '81', false],
  ['PT', 'Portugal', '351', true],
  ['US', 'United States', '1', true],
];

const STATES: readonly [name: string, postalAbbreviation: string, canSignUp: boolean][] = [
  ['California', 'CA', true],
  ['Florida', 'FL', true],
  ['New York', 'NY', false],
  ['Texas', 'TX', true],
];

const LINKS = {
  termsAndConditions: 'https://legal.example/terms',
  accountOpeningDisclosure: 'https://legal.example/account-opening',
  noticeOfPrivacy: 'https://legal.example/privacy',
};

const CONFIG = {
  emailSpecialCharactersDomainsException: [],
  consentSmsNumber: '+15550199',
  supportEmail: 'support@legal.example',
};

/** The countries, links and contacts that a registration form shows. All are made up. */
export const SETTINGS = {
  countries: COUNTRIES.map(([iso3166alpha2, name, callingCode, canSignUp]) => {
    return { id: iso3166alpha2.toLowerCase(), iso3166alpha2, name, callingCode, canSignUp };
  }),
  usStates: STATES.map(([name, postalAbbreviation, canSignUp]) => {
    return { id: postalAbbreviation.toLowerCase(), name, postalAbbreviation, canSignUp };
  }),
  links: {
    us: { ...LINKS, eSignConsentDisclosure: 'https://legal.example/e-sign' },
    intl: { ...LINKS, rightToInformation: 'https://legal.example/information' },
  },
  config: { us: CONFIG, intl: CONFIG },
};
