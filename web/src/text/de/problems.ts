/** By error code, those that the home page does not need at first. */
export const problems = {
  'action.undo_too_large':
    'Für das Rückgängigmachen würde zu viel aufbewahrt. Warte, bis deine anderen Aktionen beendet sind, und versuche es erneut.',
  'account.confirmation_wrong': 'Benutzername oder Passwort ist falsch.',
  'invitation.already_answered': 'Diese Einladung wurde bereits beantwortet.',
  'invitation.not_found': 'Diese Einladung ist nicht mehr verfügbar.',
  'invitation.too_many':
    'Du hast die Höchstzahl offener Einladungen erreicht. Ziehe einige zurück und versuche es erneut.',
  'join_request.exists': 'Du hast mit diesem Gerät bereits angefragt.',
  'join_request.not_accepted': 'Dieser Schwarm nimmt keine Anfragen an.',
  'join_request.too_many': 'Die Höchstzahl an Anfragen ist erreicht. Versuche es später erneut.',
  'join_request.too_soon': 'Eine Anfrage mit diesem Gerät wurde abgelehnt. Versuche es morgen erneut.',
  'key.not_found': 'Dieser Schlüssel wurde bereits widerrufen.',
  'key.too_many': 'Du hast die Höchstzahl an API-Schlüsseln erreicht. Widerrufe Schlüssel, die du nicht mehr nutzt.',
  'link.not_found': 'Dieser Link ist nicht mehr gültig.',
  'link.too_many': 'Dieser Schwarm hat zu viele Links. Beende zuerst einige.',
  'manager.too_many': 'Ein Schwarm kann bis zu 20 Verwalter und Beobachter haben. Entferne zuerst einen.',
  'manager.too_many_unanswered': 'Dieser Benutzer hat deine früheren Anfragen noch nicht beantwortet.',
  'membership.cannot_widen': 'Eine weitere Rolle ist nur über eine Einladung möglich.',
  'membership.exists': 'Das Gerät hat diese Rolle im Schwarm bereits.',
  'membership.not_found': 'Das Gerät ist nicht mehr in diesem Schwarm.',
  'membership.too_many': 'Dieser Schwarm hat die Höchstzahl an Mitgliedern erreicht.',
  'membership.too_many_swarms':
    'Das Gerät ist in so vielen Schwärmen, wie es sein kann. Entferne es aus einem und versuche es erneut.',
  'password.too_weak': 'Ein Passwort muss 8 bis 128 Zeichen haben.',
  'password.wrong': 'Das aktuelle Passwort ist falsch.',
  'saved_view.name_taken': 'Du hast bereits eine Ansicht mit diesem Namen.',
  'saved_view.not_found': 'Diese Ansicht wurde gelöscht.',
  'webhook.not_found': 'Dieser Webhook wurde gelöscht.',
  'saved_view.too_many':
    'Du hast die Höchstzahl gespeicherter Ansichten erreicht. Lösche einige und versuche es erneut.',
  'session.not_found': 'Diese Sitzung ist bereits beendet.',
  'sign_in.insecure_origin':
    'Über unverschlüsseltes HTTP bleibst du nicht angemeldet. Öffne Swarmdeck über HTTPS oder unter http://localhost.',
  'sign_in.wrong_password': 'Benutzername oder Passwort ist falsch.',
  'sign_up.closed': 'Dieser Server nimmt keine neuen Konten an. Wende dich an die Administration.',
  'sign_up.name_invalid': 'Ein Benutzername muss 3 bis 32 Zeichen haben: a–z, 0–9, - und _.',
  'sign_up.name_taken': 'Dieser Benutzername ist vergeben. Wähle einen anderen.',
  'swarm.changed': 'Der Schwarm wurde zwischenzeitlich geändert. Lade die Seite neu und versuche es erneut.',
  'swarm.forbidden': 'Du darfst diesen Schwarm nicht ändern.',
  'swarm.not_found': 'Der Schwarm wurde möglicherweise gelöscht, oder du hast keinen Zugriff.',
  'track.too_many':
    'Du hast die Höchstzahl an Geräten erreicht, deren Strecke aufgezeichnet wird. Schalte es bei einigen aus und versuche es erneut.',
  'swarm.too_many': 'Du hast die Höchstzahl an Schwärmen erreicht. Lösche einige und versuche es erneut.',
  'user.not_found': 'Diesen Benutzernamen gibt es nicht.',
};
