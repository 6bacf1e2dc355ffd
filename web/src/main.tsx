import './ui/tokens.css';
import './ui/reset.css';
import './ui/layout.css';
import './ui/pages/page.css';
import './ui/dialogs/floating.css';
import { preparePage, startApp } from './app/start.tsx';

preparePage();
startApp(document.getElementById('root')!);
