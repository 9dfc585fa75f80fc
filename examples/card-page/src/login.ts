import { OtpRequiredError } from 'card-platform-sdk';
import { field, form, panel } from './elements.js';
import { client, logIn, type PageSession } from './platform.js';

/** Logs the user in, with a one-time password if the service requires one. */
export function loginPanel(onLogin: (session: PageSession) => void): HTMLElement {
  const own = panel('Log in', 'h1');
  const { root, body, showStatus: say } = own;
  root.classList.add('login');
  const email = field('E-mail', { type: 'email', autocomplete: 'username', required: true });
  const password = field('Password', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const code = field('Code from your phone', {
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9]{6}',
    maxLength: 6,
  });
  code.label.hidden = true;

  async function askForCode(error: OtpRequiredError): Promise<void> {
    await client.auth.sendLoginOtp(error.otpRequest);
    code.label.hidden = false;
    code.input.required = true;
    code.input.focus();
    say(`We sent a code to ${error.phoneNumber ?? 'your phone'}.`);
  }

  async function submit(): Promise<void> {
    const otpCode = code.label.hidden ? undefined : code.input.value;
    try {
      const login = { email: email.input.value, password: password.input.value };
      const session = await logIn(login, otpCode);
      if (session.phase) return say('Please finish your registration first.', 'bad');
      onLogin(session);
    } catch (error) {
      if (error instanceof OtpRequiredError) return askForCode(error);
      password.input.select();
      throw error;
    }
  }

  const fields = [email.label, password.label, code.label];
  body.append(form(own, 'Log in', submit, ...fields));
  return root;
}
