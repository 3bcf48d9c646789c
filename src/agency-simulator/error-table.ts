/**
 * The agency's table of error codes with its own words (errores.properties of the VERI*FACTU service, state of
 * 08/04/2026), one a line. 4xxx and 35xx refuse the envelope, 1xxx and 30xx refuse the record, 2xxx flag it.
 */
const TABLE = `
1100 Valor o tipo incorrecto del campo.
1101 El valor del campo CodigoPais es incorrecto.
1102 El valor del campo IDType es incorrecto.
1103 El valor del campo ID es incorrecto.
1104 El valor del campo NumSerieFactura es incorrecto.
1105 El valor del campo FechaExpedicionFactura es incorrecto.
1106 El valor del campo TipoFactura no está incluido en la lista de valores permitidos.
1107 El valor del campo TipoRectificativa es incorrecto.
1108 El NIF del IDEmisorFactura debe ser el mismo que el NIF del ObligadoEmision.
1109 El NIF no está identificado en el censo de la AEAT.
1110 El NIF no está identificado en el censo de la AEAT.
1111 El campo CodigoPais es obligatorio cuando IDType es distinto de NIF-IVA (02).
1112 El campo FechaExpedicionFactura es superior a la fecha actual.
1114 Si la factura es de tipo rectificativa, el campo TipoRectificativa debe tener valor.
1115 Si la factura no es de tipo rectificativa, el campo TipoRectificativa no debe tener valor.
1116 Debe informarse el campo FacturasSustituidas sólo si la factura es de tipo F3.
1117 Si la factura no es de tipo rectificativa, el bloque FacturasRectificadas no podrá venir informado.
1118 Si la factura es de tipo rectificativa por sustitución el bloque ImporteRectificacion es obligatorio.
1119 Si la factura no es de tipo rectificativa por sustitución el bloque ImporteRectificacion no debe tener valor.
1120 Valor de campo IDEmisorFactura del bloque IDFactura con tipo incorrecto.
1121 El campo ID no está identificado en el censo de la AEAT.
1122 El campo CodigoPais indicado no coincide con los dos primeros dígitos del identificador.
1123 El formato del NIF es incorrecto.
1124 El valor del campo TipoImpositivo no está incluido en la lista de valores permitidos.
1125 El valor del campo FechaOperacion tiene una fecha superior a la permitida.
1126 El valor del CodigoPais solo puede ser ES cuando el IDType sea Pasaporte (03) o No Censado (07). Si IDType es No Censado (07) el CodigoPais debe ser ES (España).
1127 El valor del campo TipoRecargoEquivalencia no está incluido en la lista de valores permitidos.
1128 No existe acuerdo de facturación.
1129 Error técnico al obtener el acuerdo de facturación.
1130 El campo NumSerieFactura contiene caracteres no permitidos.
1131 El valor del campo ID ha de ser el NIF de una persona física cuando el campo IDType tiene valor No Censado (07).
1132 El valor del campo TipoImpositivo es incorrecto, el valor informado solo es permitido para FechaOperacion o FechaExpedicionFactura inferior o igual al año 2012.
1133 El valor del campo FechaExpedicionFactura no debe ser inferior a la fecha actual menos veinte años.
1134 El valor del campo FechaOperacion no debe ser inferior a la fecha actual menos veinte años.
1135 El valor del campo TipoRecargoEquivalencia es incorrecto, el valor informado solo es permitido para FechaOperacion o FechaExpedicionFactura inferior o igual al año 2012.
1136 El campo FacturaSimplificadaArticulos7273 solo acepta valores N o S.
1137 El campo Macrodato solo acepta valores N o S.
1138 El campo Macrodato solo debe ser informado con valor S si el valor de ImporteTotal es igual o superior a +-100.000.000
1139 Si el campo ImporteTotal está informado y es igual o superior a +-100.000.000 el campo Macrodato debe estar informado con valor S.
1140 Los campos CuotaRepercutida y BaseImponibleACoste deben tener el mismo signo.
1142 El campo CuotaRepercutida tiene un valor incorrecto para el valor de los campos BaseImponibleOimporteNoSujeto y TipoImpositivo suministrados.
1143 Los campos CuotaRepercutida y BaseImponibleOimporteNoSujeto deben tener el mismo signo.
1144 El campo CuotaRepercutida tiene un valor incorrecto para el valor de los campos BaseImponibleACoste y TipoImpositivo suministrados.
1145 Formato de fecha incorrecto.
1146 Sólo se permite que la fecha de expedicion de la factura sea anterior a la fecha operación si los detalles del desglose son ClaveRegimen 14 o 15 e Impuesto 01, 03 o vacío.
1147 Si ClaveRegimen es 14, FechaOperacion es obligatoria y debe ser posterior a la FechaExpedicionFactura.
1148 Si la ClaveRegimen es 14, el campo TipoFactura debe ser F1, R1, R2, R3 o R4.
1149 Si ClaveRegimen es 14, el NIF de Destinatarios debe estar identificado en el censo de la AEAT y comenzar por P, Q, S o V.
1150 Cuando TipoFactura sea F2 y no este informado NumRegistroAcuerdoFacturacion o FacturaSinIdentifDestinatarioArt61d no sea S el sumatorio de BaseImponibleOimporteNoSujeto y CuotaRepercutida de todas las líneas de detalle no podrá ser superior a 3.000.
1151 El campo EmitidaPorTerceroODestinatario solo acepta valores T o D.
1152 La fecha de expedición no puede ser inferior al 28 de octubre de 2024.
1153 Valor del campo RechazoPrevio no válido, solo podrá incluirse el campo RechazoPrevio con valor X si se ha informado el campo Subsanacion y tiene el valor S.
1154 El NIF del emisor de la factura rectificada/sustitutiva no se ha podido identificar en el censo de la AEAT.
1155 Se está informando el bloque Tercero sin estar informado el campo EmitidaPorTerceroODestinatario.
1156 Para el bloque IDOtro y IDType NIF-IVA (02), el valor de TipoFactura es incorrecto.
1157 El valor de cupón solo puede ser S o N si está informado. El valor de cupón sólo puede ser S si el tipo de factura es R1 o R5.
1158 Se está informando EmitidaPorTerceroODestinatario, pero no se informa el bloque correspondiente.
1159 Se está informando del bloque Tercero cuando se indica que se va a informar de Destinatario.
1160 Si el TipoImpositivo es 5%, sólo se admite TipoRecargoEquivalencia 0,5 o 0,62.
1161 El valor del campo RechazoPrevio no es válido, no podrá incluirse el campo RechazoPrevio con valor S si no se ha informado del campo Subsanacion o tiene el valor N.
1162 Si el TipoImpositivo es 21%, sólo se admite TipoRecargoEquivalencia 5,2 ó 1,75.
1163 Si el TipoImpositivo es 10%, sólo se admite TipoRecargoEquivalencia 1,4.
1164 Si el TipoImpositivo es 4%, sólo se admite TipoRecargoEquivalencia 0,5.
1165 Si el TipoImpositivo es 0% sólo se admite TipoRecargoEquivalencia 0% entre el 1 de enero de 2023 y el 30 de septiembre de 2024.
1166 Si el TipoImpositivo es 2% entre el 1 de octubre de 2024 y el 31 de diciembre de 2024, sólo se admite TipoRecargoEquivalencia 0,26.
1167 Si el TipoImpositivo es 5% sólo se admite TipoRecargoEquivalencia 0,5 si Fecha Operacion (Fecha Expedicion Factura si no se informa FechaOperacion) es mayor o igual que el 1 de julio de 2022 y el 31 de diciembre de 2022.
1168 Si el TipoImpositivo es 5% sólo se admite TipoRecargoEquivalencia 0,62 si Fecha Operacion (Fecha Expedicion Factura si no se informa FechaOperacion) es mayor o igual que el 1 de enero de 2023 y el 30 de septiembre de 2024.
1169 Si el TipoImpositivo es 7,5% entre el 1 de octubre de 2024 y el 31 de diciembre de 2024, sólo se admite TipoRecargoEquivalencia 1.
1170 Si el TipoImpositivo es 0%, desde el 1 de octubre del 2024, sólo se admite TipoRecargoEquivalencia 0,26.
1171 El valor del campo Subsanacion o RechazoPrevio no se encuentra en los valores permitidos.
1172 El valor del campo NIF u ObligadoEmision son nulos.
1173 Sólo se permite que la fecha de operación sea superior a la fecha actual si los detalles del desglose son ClaveRegimen 14 o 15 e Impuesto IVA(01) o IGIC(03) o vacío.
1174 El valor del campo FechaExpedicionFactura del bloque RegistroAnteriores incorrecto.
1175 El valor del campo NumSerieFactura del bloque RegistroAnterior es incorrecto.
1176 El valor de campo NIF del bloque SistemaInformatico es incorrecto.
1177 El valor de campo IdSistemaInformatico del bloque SistemaInformatico es incorrecto.
1178 Error en el bloque de Tercero.
1179 Error en el bloque de SistemaInformatico.
1180 Error en el bloque de Encadenamiento.
1181 El valor del campo CalificacionOperacion es incorrecto.
1182 El valor del campo OperacionExenta es incorrecto.
1183 El campo FacturaSimplificadaArticulos7273 solo se podrá rellenar con S si TipoFactura es de tipo F1 o F3 o R1 o R2 o R3 o R4.
1184 El campo FacturaSinIdentifDestinatarioArt61d solo acepta valores S o N.
1185 El campo FacturaSinIdentifDestinatarioArt61d solo se podrá rellenar con S si TipoFactura es de tipo F2 o R5.
1186 Si EmitidaPorTercerosODestinatario es igual a T el bloque Tercero será de cumplimentación obligatoria.
1187 Sólo se podrá cumplimentarse el bloque Tercero si el valor de EmitidaPorTercerosODestinatario es T.
1188 El NIF del bloque Tercero debe ser diferente al NIF del ObligadoEmision.
1189 Si TipoFactura es F1 o F3 o R1 o R2 o R3 o R4 el bloque Destinatarios tiene que estar cumplimentado.
1190 Si TipoFactura es F2 o R5 el bloque Destinatarios no puede estar cumplimentado.
1191 Si TipoFactura es R3 sólo se admitirá NIF o IDType = No Censado (07).
1192 Si TipoFactura es R2 sólo se admitirá NIF o IDType = No Censado (07) o NIF-IVA (02).
1193 En el bloque Destinatarios si se identifica mediante NIF, el NIF debe estar identificado y ser distinto del NIF ObligadoEmision.
1194 El valor del campo TipoImpositivo es incorrecto, el valor informado solo es permitido para FechaOperacion o FechaExpedicionFactura posterior o igual a 1 de julio de 2022 e inferior o igual a 30 de septiembre de 2024.
1195 Al menos uno de los dos campos OperacionExenta o CalificacionOperacion deben estar informados.
1196 OperacionExenta o CalificacionOperacion no pueden ser ambos informados ya que son excluyentes entre sí.
1197 Si CalificacionOperacion tiene valor Operación Sujeta y No exenta - Con inversión del sujeto pasivo (S2) TipoFactura solo puede ser F1, F3, R1, R2, R3 y R4.
1198 Si CalificacionOperacion tiene valor Operación Sujeta y No exenta - Con inversión del sujeto pasivo (S2) TipoImpositivo y CuotaRepercutida deberan tener valor 0.
1199 Si Impuesto es '01' (IVA), '03' (IGIC) o no se cumplimenta y ClaveRegimen es 01 no pueden marcarse la OperacionExenta E2, E3.
1200 Si ClaveRegimen es 03 CalificacionOperacion sólo puede ser Operación Sujeta y No exenta - Sin inversión del sujeto pasivo (S1).
1201 Si ClaveRegimen es 04 CalificacionOperacion sólo puede ser Operación Sujeta y No exenta - Con inversión del sujeto pasivo (S2) o bien OperacionExenta.
1202 Si ClaveRegimen es 06 TipoFactura no puede ser F2, F3, R5 y BaseImponibleACoste debe estar cumplimentado.
1203 Si ClaveRegimen es 07 OperacionExenta no puede ser E2, E3, E4 y E5 o CalificacionOperacion no puede ser S2, N1, N2.
1205 Si ClaveRegimen es 10 CalificacionOperacion tiene que ser N1, TipoFactura F1 y Destinatarios estar identificada mediante NIF.
1206 Si ClaveRegimen es 11 TipoImpositivo ha de ser 21%.
1207 La CuotaRepercutida solo podrá ser distinta de 0 si CalificacionOperacion es Operación Sujeta y No exenta - Sin inversión del sujeto pasivo (S1).
1208 Si CalificacionOperacion es Operación Sujeta y No exenta - Sin inversión del sujeto pasivo (S1) y BaseImponibleACoste no está cumplimentada, TipoImpositivo y CuotaRepercutida son obligatorios.
1209 Si CalificacionOperacion es Operación Sujeta y No exenta - Sin inversión del sujeto pasivo (S1) y ClaveRegimen es 06, TipoImpositivo y CuotaRepercutida son obligatorios.
1210 El campo ImporteTotal tiene un valor incorrecto para el valor de los campos BaseImponibleOimporteNoSujeto, CuotaRepercutida y CuotaRecargoEquivalencia suministrados.
1211 El bloque Tercero no puede estar identificado con IDType=No Censado (07).
1212 El campo TipoUsoPosibleSoloVerifactu solo acepta valores N o S.
1213 El campo TipoUsoPosibleMultiOT solo acepta valores N o S.
1214 El campo NumeroOTAlta debe ser númerico positivo de 4 posiciones.
1215 Error en el bloque de ObligadoEmision.
1216 El campo CuotaTotal tiene un valor incorrecto para el valor de los campos CuotaRepercutida y CuotaRecargoEquivalencia suministrados.
1217 Error identificando el IDEmisorFactura.
1218 El valor del campo Impuesto es incorrecto.
1219 El valor del campo IDEmisorFactura es incorrecto.
1220 El valor del campo NombreSistemaInformatico es incorrecto.
1221 El valor del campo IDType del sistema informático es incorrecto.
1222 El valor del campo ID del bloque IDOtro es incorrecto.
1223 En el bloque SistemaInformatico si se cumplimenta NIF, no deberá existir la agrupación IDOtro y viceversa, pero es obligatorio que se cumplimente uno de los dos.
1224 Si se informa el campo GeneradoPor deberá existir la agrupación Generador y viceversa.
1225 El valor del campo GeneradoPor es incorrecto.
1226 El campo IndicadorMultiplesOT solo acepta valores N o S.
1227 Si el campo GeneradoPor es igual a E debe estar relleno el campo NIF del bloque Generador.
1228 En el bloque Generador si se cumplimenta NIF, no deberá existir la agrupación IDOtro y viceversa, pero es obligatorio que se cumplimente uno de los dos.
1229 Si el valor de GeneradoPor es igual a T el valor del campo IDType del bloque Generador no debe ser No Censado (07).
1230 Si el valor de GeneradoPor es igual a D y el CodigoPais tiene valor ES (España), el valor del campo IDType del bloque Generador debe ser Pasaporte (03) o No Censado (07).
1231 El valor del campo IDType del bloque Generador es incorrecto.
1232 Si se identifica a través de la agrupación IDOtro y CodigoPais tiene valor ES (España), el campo IDType debe valer Pasaporte (03).
1233 Si se identifica a través de la agrupación IDOtro y CodigoPais tiene valor ES (España), el campo IDType debe valer No Censado (07).
1234 Si se identifica a través de la agrupación IDOtro y CodigoPais tiene valor ES (España), el campo IDType debe valer Pasaporte (03) o No Censado (07).
1235 El valor del campo TipoImpositivo es incorrecto, el valor informado sólo es permitido para FechaOperacion o FechaExpedicionFactura posterior o igual a 1 de octubre de 2024 e inferior o igual a 31 de diciembre de 2024.
1236 El valor del campo TipoImpositivo es incorrecto, el valor informado solo es permitido para FechaOperacion o FechaExpedicionFactura posterior o igual a 1 de octubre de 2024 e inferior o igual a 31 de diciembre de 2024.
1237 El valor del campo CalificacionOperacion está informado como Operación No sujeta (N1 o N2) y el impuesto es IVA. No se puede informar de los campos TipoImpositivo, CuotaRepercutida, TipoRecargoEquivalencia y CuotaRecargoEquivalencia.
1238 Si la operacion es exenta no se puede informar ninguno de los campos TipoImpositivo, CuotaRepercutida, TipoRecargoEquivalencia y CuotaRecargoEquivalencia.
1239 Error en el bloque Destinatario.
1240 Error en el bloque de IdEmisorFactura.
1241 Error técnico al obtener el SistemaInformatico.
1242 No existe el sistema informático.
1243 Error técnico al obtener el cálculo de la fecha del huso horario.
1244 El campo FechaHoraHusoGenRegistro tiene un formato incorrecto.
1245 Si el campo Impuesto está vacío o tiene valor IVA(01) o IPSI(02) o IGIC(03) el campo ClaveRegimen debe de estar cumplimentado.
1246 El valor del campo ClaveRegimen es incorrecto.
1247 El valor del campo TipoHuella es incorrecto.
1248 El valor del campo Periodo es incorrecto.
1249 El valor del campo IndicadorRepresentante tiene un valor incorrecto.
1250 El valor de fecha desde debe ser menor que el valor de fecha hasta en RangoFechaExpedicion.
1251 El valor del campo IdVersion tiene un valor incorrecto
1252 Si ClaveRegimen es 08 el campo CalificacionOperacion tiene que tener el valor Operación No sujeta por reglas de localización (N2) e ir siempre informado.
1253 El valor del campo RefExterna tiene un valor incorrecto.
1254 Si FechaOperacion (FechaExpedicionFactura si no se informa FechaOperacion) es anterior a 01/01/2021 no se permite el valor 'XI' para Identificaciones NIF-IVA
1255 Si FechaOperacion (FechaExpedicionFactura si no se informa FechaOperacion) es mayor o igual que 01/02/2021 no se permite el valor 'GB' para Identificaciones NIF-IVA
1256 Error técnico al obtener el límite de la fecha de expedición.
1257 El campo BaseImponibleACoste solo puede estar cumplimentado si la ClaveRegimen es = '06' o Impuesto = '02' (IPSI) o Impuesto = '05' (Otros).
1258 El valor de campo NIF del bloque Generador es incorrecto.
1259 En el bloque Generador si se identifica mediante NIF, el NIF debe estar identificado y ser distinto del NIF ObligadoEmision.
1260 El campo ClaveRegimen solo debe de estar cumplimentado si el campo Impuesto está vacío o tiene valor IVA(01) o IPSI(02) o IGIC(03)
1261 El campo IndicadorRepresentante solo debe de estar cumplimentado si se consulta por ObligadoEmision
1262 La longitud de huella no cumple con las especificaciones.
1263 La longitud del tipo de huella no cumple con las especificaciones.
1264 La longitud del campo primer Registro no cumple con las especificaciones.
1265 La longitud del campo tipo factura no cumple con las especificaciones.
1266 La longitud del campo cuota total no cumple con las especificaciones.
1267 La longitud del campo importe total no cumple con las especificaciones.
1268 La longitud del campo FechaHoraHusoGenRegistro no cumple con las especificaciones.
1269 El bloque Registro Anterior no esta informado correctamente.
1270 El valor del campo MostrarNombreRazonEmisor tiene un valor incorrecto.
1271 El valor del campo MostrarSistemaInformatico tiene un valor incorrecto.
1272 Si se consulta por Destinatario el valor del campo MostrarSistemaInformatico debe valer 'N' o no estar cumplimentado.
1273 Error en el bloque de Generador.
1274 Valor incorrecto campo primer registro
1275 Valor incorrecto campo RechazoPrevio
1276 Valor incorrecto campo SinRegistroPrevio
1277 Valor incorrecto del TipoRecargoEquivalencia para el tipo impositivo 0%.
1281 Solo se puede cumplimentar TipoRecargoEquivalencia y CuotaRecargoEquivalencia cuando CalificacionOperacion tiene valor Operación Sujeta y No exenta - Sin inversión del sujeto pasivo (S1)
1282 Si el NIF de la cabecera es persona fisica se debe informar tambien de su NombreRazon
1283 Si el NIF de la contraparte es persona fisica se debe informar tambien de su NombreRazon
1284 Si se ha informado de TipoRecargoEquivalencia tambien se debe informar de CuotaRecargoEquivalencia y viceversa.
1285 Se han encontracado varios Sistemas Informáticos con los datos suministrados, debe filtrar la consulta por más campos del Sistema Informático.
1286 Si el impuesto es IVA(01), IGIC(03) o vacio, si ClaveRegimen es 02 solo se podrá informar OperacionExenta.
1287 El valor del campo %s contiene carácteres no validos (<, >, ", ', =).
1288 Error técnico en la validación de la fecha de expedición/operación.
1289 Si Impuesto es IVA(01) o vacio y si el campo OperacionExenta es igual a 'E5' sólo deberá existir la agrupación IDOtro en el bloque Destinatario.
1290 El campo ID no contiene un NIF con formato correcto.
1291 El HASH del Registro anterior no es alfanumérico.
1292 El HASH no es alfanumérico.
1293 Si ClaveRegimen es 20 el campo CalificacionOperacion tiene que tener el valor Operación No sujeta por reglas de localización (N2) e ir siempre informado.
2000 El cálculo de la huella suministrada es incorrecta.
2001 El NIF del bloque Destinatarios no está identificado en el censo de la AEAT.
2002 La longitud de huella del registro anterior no cumple con las especificaciones.
2003 El contenido de la huella del registro anterior no cumple con las especificaciones.
2004 El valor del campo FechaHoraHusoGenRegistro debe ser la fecha actual del sistema de la AEAT, admitiéndose un margen de error de:
2005 El campo ImporteTotal tiene un valor incorrecto para el valor de los campos BaseImponibleOimporteNoSujeto, CuotaRepercutida y CuotaRecargoEquivalencia suministrados.
2006 El campo CuotaTotal tiene un valor incorrecto para el valor de los campos CuotaRepercutida y CuotaRecargoEquivalencia suministrados.
2007 No debe informarse como primer registro, existen facturas emitidas con el obligado emisión y el sistema informático actual.
2008 El valor de la huella del registro anterior debe ser diferente a la huella del registro actual.
2009 Si el campo Impuesto tiene valor IPSI(02) el campo ClaveRegimen debe de estar cumplimentado.
3000 Registro de facturación duplicado.
3001 El registro de facturación ya ha sido dado de baja.
3002 No existe el registro de facturación.
3003 El presentador no tiene los permisos necesarios para actualizar este registro de facturación.
3004 No es posible modificar la factura ya que ha sido dada de alta vía formulario.
3500 Error técnico de base de datos: error en la integridad de la información.
3501 Error técnico de base de datos.
3502 La factura consultada para el suministro de pagos/cobros/inmuebles no existe.
3503 La factura especificada no pertenece al titular registrado en el sistema.
4102 El XML no cumple el esquema. Falta informar campo obligatorio.
4103 Se ha producido un error inesperado al parsear el XML.
4104 Error en la cabecera: el valor del campo NIF del bloque ObligadoEmision no está identificado.
4105 Error en la cabecera: el valor del campo NIF del bloque Representante no está identificado.
4106 El formato de fecha es incorrecto.
4107 El NIF no está identificado en el censo de la AEAT.
4108 Error técnico al obtener el certificado.
4109 El formato del NIF es incorrecto.
4110 Error técnico al comprobar los apoderamientos.
4111 Error técnico al crear el trámite.
4112 El titular del certificado debe ser Obligado Emisión, Colaborador Social, Apoderado o Sucesor.
4113 El XML no cumple con el esquema: se ha superado el límite permitido de registros para el bloque.
4114 El XML no cumple con el esquema: se ha superado el límite máximo permitido de facturas a registrar.
4115 El valor del campo NIF del bloque ObligadoEmision es incorrecto.
4116 Error en la cabecera: el campo NIF del bloque ObligadoEmision tiene un formato incorrecto.
4117 Error en la cabecera: el campo NIF del bloque Representante tiene un formato incorrecto.
4118 Error técnico: la dirección no se corresponde con el fichero de entrada.
4119 Error al informar caracteres cuya codificación no es UTF-8.
4120 Error en la cabecera: el valor del campo FechaFinVeriFactu es incorrecto, debe ser 31-12-20XX, donde XX corresponde con el año actual o el anterior.
4121 Error en la cabecera: el valor del campo Incidencia es incorrecto.
4122 Error en la cabecera: el valor del campo RefRequerimiento es incorrecto.
4123 Error en la cabecera: el valor del campo NIF del bloque Representante no está identificado en el censo de la AEAT.
4124 Error en la cabecera: el valor del campo Nombre del bloque Representante no está identificado en el censo de la AEAT.
4125 Error en la cabecera: Si el envío es por requerimiento el campo RefRequerimiento es obligatorio.
4126 Error en la cabecera: el campo RefRequerimiento solo debe informarse en sistemas en remisiones al endpoint del servicio a usar para la contestación a requerimientos de registros de facturación.
4127 Error en la cabecera: la remisión voluntaria solo debe informarse en sistemas VERIFACTU.
4128 Error técnico en la recuperación del valor del Gestor de Tablas.
4129 Error en la cabecera: el campo FinRequerimiento es obligatorio.
4130 Error en la cabecera: el campo FinRequerimiento solo debe informarse en sistemas No VERIFACTU.
4131 Error en la cabecera: el valor del campo FinRequerimiento es incorrecto.
4132 El titular del certificado debe ser el destinatario que realiza la consulta, un Apoderado o Sucesor
4133 Error en la cabecera: el valor del campo RefRequerimiento no es alfanumérico.
4134 Servicio no activo.
4135 Esta URL no puede ser utilizada mediante GET.
4136 No se ha enviado el nodo RegistroAlta o el anterior al nodo RegistroAlta no es correcto.
4137 No se ha enviado el nodo RegistroAnulacion o el anterior al nodo RegistroAnulacion no es correcto.
4138 Petición vacía en el XML o encoding incorrecto.
4139 Servicio no habilitado en producción.
4140 No puede acceder a la consulta de facturas al no estar apoderado en los trámites necesarios.
4141 Le informamos que su acceso al sistema VERIFACTU ha sido suspendido temporalmente para realizar cualquier solicitud. Para resolver este inconveniente, le solicitamos que se ponga en contacto con nuestro equipo de soporte a través del buzón de correo electrónico verifactu@correo.aeat.es, donde le atenderán con la mayor brevedad posible.
`;

const TEXTS: ReadonlyMap<number, string> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => [Number(line.slice(0, 4)), line.slice(5)]),
);

/** The agency's words for a code. Throws for a code that is not in its table. */
export function errorText(code: number): string {
  const text = TEXTS.get(code);
  if (text === undefined) throw new Error(`The agency has no error ${code}`);
  return text;
}

/** Whether the agency's table has the code. */
export function isErrorCode(code: number): boolean {
  return TEXTS.has(code);
}
